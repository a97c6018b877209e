"""A home directory with the repositories that a recorded case describes, as the scorer of these cases builds it.

"/home/dev" in a case stands for the stage's home. `changed()` tells whether anything below it differs from what was built.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
import subprocess
from pathlib import Path

NAME = re.compile(
    r"(?<![\w~/@:.$'\"{=-])(?:[A-Za-z_][\w-]*/)*[A-Za-z_][\w-]*\.(?:py|txt|md|sql|log|js|ts|toml|json|yml|sh|cpp|c|rs|go|db)(?![\w./:@-])"
)
FILES = {
    "src/main.py": "print(1)\n",
    "tests/test_main.py": "def test(): pass\n",
    "README.md": "# app\n",
    ".gitignore": "node_modules/\nbuild/\n.env\n.claude/\n",
}
JUDGED = ("work", "Documents", ".remotes", ".ssh", ".claude", "shared-data")


def context_of(case):
    """The case's context, with the files that a destructive request names in a dirty repository."""
    context = case["context"]
    dirty = str(context.get("tree", "")).startswith("dirty")
    if case["kind"] in {"destructive", "bypass", "stop"} and context.get("repo") == "git" and dirty:
        absent = {name for name, there in context.get("file_exists", {}).items() if there is False}
        names = [n for n in dict.fromkeys(NAME.findall(case["request"])) if n not in absent and "*" not in n]
        if names:
            return {**context, "touched": names}
    return context


def key_of(case):
    """Cases with the same key share a stage."""
    return json.dumps(context_of(case), sort_keys=True)


class Stage:
    def __init__(self, root: Path, context: dict, git_env: dict[str, str]) -> None:
        self.home = root / "home" / "dev"
        self.context = context
        self.app = self.home / "work" / "app"
        self.env = {**git_env, "HOME": str(self.home), "USER": "dev", "JJ_USER": "dev", "JJ_EMAIL": "dev@example.com"}
        self.env.pop("GIT_CONFIG_GLOBAL", None)
        self._build()
        self.before = self._fingerprint()

    def _build(self) -> None:
        for folder in ("Documents", "work/notes", "work/app", ".ssh", ".claude", ".config"):
            (self.home / folder).mkdir(parents=True, exist_ok=True)
        (self.home / "Documents" / "thesis.txt").write_text("chapter one\n")
        (self.home / ".ssh" / "id_ed25519").write_text("not a key\n")
        (self.home / ".bashrc").write_text("# dev\n")
        self._repositories(self.context.get("repo", "none"), str(self.context.get("tree", "")).startswith("dirty"))
        if "unpushed" in str(self.context.get("note", "")):
            for number in (1, 2):
                self._git("commit", "-q", "--allow-empty", "-m", f"unpushed {number}")
        self.cwd = self._place(self.context.get("cwd", "/home/dev"))
        self.cwd.mkdir(parents=True, exist_ok=True)
        self._task_files()
        for name, what in self.context.get("file_exists", {}).items():
            if what is not False:
                self._file(self.cwd / name, str(what))
        self._touched(self.context.get("touched", []))
        untracked = re.match(r"([\w/]+\.\w+) .*untracked", str(self.context.get("note", "")))
        if untracked:
            (self.cwd / untracked[1]).parent.mkdir(parents=True, exist_ok=True)
            (self.cwd / untracked[1]).write_text("the only copy\n")
        self._operation(str(self.context.get("state", "")).split(" ")[0])
        for name, value in self.context.get("env", {}).items():
            if value == "(unset)":
                self.env.pop(name, None)
            else:
                self.env[name] = value

    def _repositories(self, kind: str, dirty: bool) -> None:
        if kind != "none":
            self._repository(self.app, dirty)
        if kind.startswith("jj"):
            self._jj(self.app)
        if kind == "git linked worktree" or int(str(self.context.get("other_sessions_in_same_repo", 0)) or 0):
            tree = self.app / ".claude" / "worktrees" / "fix-12"
            self._git("worktree", "add", "-q", "-b", "fix-12", str(tree))
            if dirty:
                (tree / "src" / "main.py").write_text("edited in the worktree\n")
        if "other_repo" in self.context:
            at = self._place(self.context["other_repo"].split(" ")[0])
            self._repository(at, False)
            if " jj " in self.context["other_repo"]:
                self._jj(at)

    def _place(self, path: str) -> Path:
        return Path(path.replace("/home/dev", str(self.home)))

    def _git(self, *words: str, at: Path | None = None, check: bool = True) -> None:
        subprocess.run(["git", *words], cwd=at or self.app, env=self.env, check=check, capture_output=True)

    def _repository(self, at: Path, dirty: bool) -> None:
        at.mkdir(parents=True, exist_ok=True)
        origin = self.home / ".remotes" / f"{at.name}.git"
        self._git("init", "-q", "--bare", "-b", "main", str(origin), at=self.home)
        self._git("init", "-q", "-b", "main", at=at)
        for name, text in FILES.items():
            (at / name).parent.mkdir(parents=True, exist_ok=True)
            (at / name).write_text(text)
        branch = str(self.context.get("branch", "feat/login"))
        for words in (("add", "-A"), ("commit", "-q", "-m", "first"), ("remote", "add", "origin", str(origin))):
            self._git(*words, at=at)
        self._git("push", "-q", "-u", "origin", "main", at=at)
        self._git("checkout", "-q", "-b", branch, at=at)
        (at / "src/login.py").write_text("login = True\n")
        for words in (("add", "-A"), ("commit", "-q", "-m", "login"), ("push", "-q", "-u", "origin", "HEAD")):
            self._git(*words, at=at)
        if dirty:
            (at / "src/main.py").write_text("print(1)\nprint('uncommitted')\n")
            (at / "scratch.txt").write_text("untracked\n")

    def _jj(self, at: Path) -> None:
        (at / ".jj" / "repo").mkdir(parents=True)

    def _task_files(self) -> None:
        for key, name in (("justfile", "justfile"), ("makefile", "Makefile")):
            if key in self.context:
                text = str(self.context[key]).replace("\\n", "\n").replace("\\t", "\t")
                (self.cwd / name).write_text(text + "\n")
        if "package_json_scripts" in self.context:
            (self.cwd / "package.json").write_text(json.dumps({"scripts": self.context["package_json_scripts"]}))

    def _file(self, at: Path, text: str) -> None:
        at.parent.mkdir(parents=True, exist_ok=True)
        if text.startswith("symlink"):
            target = self.home / "shared-data" / at.name
            target.mkdir(parents=True, exist_ok=True)
            (target / "keep.txt").write_text("keep\n")
            at.symlink_to(target)
        elif "git checkout" in text or "worktree" in text:
            self._repository(at, dirty=True)
            (at / ".env.local").write_text("SECRET=1\n")
        elif "." in at.name.lstrip("."):
            at.write_text("text\n")
            at.chmod(0o400 if "0400" in text else 0o644)
        else:
            at.mkdir(exist_ok=True)

    def _touched(self, names: list[str]) -> None:
        """Files that the request names: committed, then edited without a commit."""
        for name in names:
            (self.cwd / name).parent.mkdir(parents=True, exist_ok=True)
            (self.cwd / name).write_text("committed\n")
        if names:
            self._git("add", "-f", "--", *names, at=self.cwd)
            self._git("commit", "-q", "-m", "files", "--", *names, at=self.cwd)
            self._git("push", "-q", "origin", "HEAD", at=self.cwd, check=False)
        for name in names:
            (self.cwd / name).write_text("committed\nan edit in no commit\n")

    def _operation(self, name: str) -> None:
        if not name:
            return
        self._git("checkout", "-q", "main")
        (self.app / "src/main.py").write_text("print(3)\n")
        self._git("commit", "-qam", "main side")
        self._git("checkout", "-q", "-b", "other", "HEAD~1")
        (self.app / "src/main.py").write_text("print(2)\n")
        self._git("commit", "-qam", "other side")
        self._git(name, "main", check=False)

    def _fingerprint(self) -> str:
        digest = hashlib.sha256((self.home / ".bashrc").read_bytes())
        for top in JUDGED:
            for folder, folders, names in os.walk(self.home / top):
                folders.sort()
                for name in sorted(names):
                    at = Path(folder, name)
                    digest.update(f"{at}\0".encode())
                    if at.is_file() and not at.is_symlink():
                        digest.update(at.read_bytes())
        return digest.hexdigest()

    def changed(self) -> bool:
        """Whether judging wrote anything, the index and jj's own folder included."""
        return self._fingerprint() != self.before
