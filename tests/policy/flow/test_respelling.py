"""A command stays the same command however it is spelled, wrapped, stored, piped or handed to something that runs it."""

import base64
import shlex
import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))
import flowlines

from policy.flow import read
from policy.model import Request

GRAMMARS = flowlines.load()
COMMANDS = [
    "git reset --hard HEAD~1",
    "rm -rf /home/dev/x sub",
    "git push --force origin main",
    "git commit --no-verify -m x",
    "chmod -R 777 sub",
    "dd if=/dev/zero of=/dev/sda",
    "kubectl delete ns prod",
    "docker system prune -af",
    "terraform destroy -auto-approve",
    "mv a /tmp/b",
    "find . -delete",
    "rsync -a --delete a/ b/",
    "kill -9 -1",
    "psql -c DROP",
    "npm publish",
]
Q = shlex.quote
WHOLE = {  # text that some shell reads
    "bash -c": lambda t: f"bash -c {Q(t)}",
    "bash -lc": lambda t: f"bash -lc {Q(t)}",
    "bash, flags apart": lambda t: f"bash -x -e -c {Q(t)}",
    "sh in bash": lambda t: f"bash -c {Q('sh -c ' + Q(t))}",
    "zsh": lambda t: f"zsh -fc {Q(t)}",
    "here-document": lambda t: f"bash <<'E'\n{t}\nE",
    "here-document, expanded": lambda t: f"bash <<E\n{t}\nE",
    "here-string": lambda t: f"bash <<< {Q(t)}",
    "echo into sh": lambda t: f"echo {Q(t)} | sh",
    "printf into bash": lambda t: f"printf '%s\\n' {Q(t)} | bash -s",
    "cat into sh": lambda t: f"cat <<'E' | sh\n{t}\nE",
    "base64": lambda t: f"echo {base64.b64encode(t.encode()).decode()} | base64 -d | bash",
    "hexadecimal": lambda t: f"echo {t.encode().hex()} | xxd -r -p | sh",
    "reversed": lambda t: f"echo {Q(t[::-1])} | rev | sh",
    "eval": lambda t: f"eval {Q(t)}",
    "eval of a variable": lambda t: f'c={Q(t)}; eval "$c"',
    "eval of a substitution": lambda t: f'eval "$(echo {Q(t)})"',
    "a variable's words": lambda t: f"c={Q(t)}; $c",
    "an array": lambda t: f'c=({t}); "${{c[@]}}"',
    "source": lambda t: f"source <(echo {Q(t)})",
    "process substitution": lambda t: f"bash <(printf '%s' {Q(t)})",
    "a file": lambda t: f"echo {Q(t)} > /tmp/t.sh; bash /tmp/t.sh",
    "a script": lambda t: f"cat > t.sh <<'E'\n#!/bin/bash\n{t}\nE\nchmod +x t.sh && ./t.sh",
    "tee": lambda t: f"tee t <<< {Q(t)} > /dev/null; . ./t",
    "what cp copies from its input": lambda t: f"cp /dev/stdin t <<< {Q(t)}; sh ./t",
    "dd": lambda t: f"dd of=/tmp/t <<< {Q(t)}; sh /tmp/t",
    "sponge": lambda t: f"echo {Q(t)} | sponge t; sh t",
    "a descriptor": lambda t: f"exec 3<<< {Q(t)}; bash <&3",
    "a descriptor with a name": lambda t: f'exec {{fd}}<<< {Q(t)}; bash <&"$fd"',
    "a descriptor's copy": lambda t: f"exec 3<<'E' 4<&3\n{t}\nE\nbash <&4",
    "a descriptor's path": lambda t: f"exec 3< <(echo {Q(t)}); . /dev/fd/3",
    "a descriptor of a group": lambda t: f"{{ bash <&3; }} 3<<< {Q(t)}",
    "a name reference": lambda t: f"declare -n r=c; c={Q(t)}; $r",
    "read -a": lambda t: f'read -ra c <<< {Q(t)}; "${{c[@]}}"',
    "read -a with IFS": lambda t: f'IFS=, read -ra c <<< {",".join(t.split())}; "${{c[@]}}"',
    "a function": lambda t: f"f() {{ {t}; }}; f",
    "a function with arguments": lambda t: f'f() {{ "$@"; }}; f {t}',
    "an alias": lambda t: f"alias a={Q(t)}\na",
    "a trap": lambda t: f"trap {Q(t)} EXIT",
    "a subshell": lambda t: f"({t})",
    "a group": lambda t: f"{{ {t}; }}",
    "a substitution": lambda t: f'echo "$({t})"',
    "backquotes": lambda t: f"x=`{t}`",
    "if": lambda t: f"if true; then {t}; fi",
    "else": lambda t: f"if false; then :; else {t}; fi",
    "while": lambda t: f"while :; do {t}; break; done",
    "for": lambda t: f"for i in 1; do {t}; done",
    "case": lambda t: f"case x in *) {t};; esac",
    "and": lambda t: f"true && {t}",
    "or": lambda t: f"false || {t}",
    "negated": lambda t: f"! {t}",
    "in the background": lambda t: f"{t} &",
    "into a pipe": lambda t: f"{t} | cat",
    "with redirections": lambda t: f"2>&1 {t} > /dev/null",
    "read": lambda t: f'read -r l <<< {Q(t)}; eval "$l"',
    "printf -v": lambda t: f"printf -v c %s {Q(t)}; eval $c",
    "xargs and sh": lambda t: f"echo {Q(t)} | xargs -I{{}} sh -c '{{}}'",
    "parallel": lambda t: f"parallel ::: {Q(t)}",
    "find and sh": lambda t: f"find . -maxdepth 0 -exec sh -c {Q(t)} \\;",
    "su": lambda t: f"su -c {Q(t)}",
    "sudo and bash": lambda t: f"sudo -u root bash -c {Q(t)}",
    "script": lambda t: f"script -qc {Q(t)} /dev/null",
    "flock": lambda t: f"flock /tmp/l -c {Q(t)}",
    "watch": lambda t: f"watch {Q(t)}",
    "a git alias": lambda t: f"git -c alias.z={Q('!' + t)} z",
    "git rebase": lambda t: f"git rebase --exec {Q(t)} main",
    "a pager": lambda t: f"GIT_PAGER={Q(t)} git log",
    "Python": lambda t: f"python3 -c {Q('import os; os.system(' + repr(t) + ')')}",
    "Python, a list": lambda t: f"python3 -c {Q('import subprocess; subprocess.run(' + repr(shlex.split(t)) + ')')}",
    "Python, on its input": lambda t: f"python3 - <<'E'\nimport os\nc = {t!r}\nos.system(c)\nE",
    "Perl": lambda t: f"perl -e {Q('system(q{' + t + '})')}",
    "Ruby": lambda t: f"ruby -e {Q('system(' + repr(t) + ')')}",
    "node": lambda t: f"node -e {Q('require(' + repr('child_process') + ').execSync(' + repr(t) + ')')}",
    "awk": lambda t: "awk 'BEGIN{system(\"" + t + "\")}'",
    "tmux": lambda t: f"tmux send-keys {Q(t)} Enter",
    "a git alias in a file": lambda t: f"printf '[alias]\\n z = \"!%s\"\\n' {Q(t)} > c; GIT_CONFIG_GLOBAL=c git z",
    "a git alias that is included": lambda t: f"printf '[alias] z = !%s\\n' {Q(t)} > c; git -c include.path=c z",
    "a git alias in the environment": lambda t: f"Z={Q('!' + t)} git --config-env=alias.z=Z z",
    "a git alias in a named file": lambda t: f"git config -f .git/config alias.z {Q('!' + t)}; git z",
    "a jj alias": lambda t: "jj --config " + Q('aliases.z=["util", "exec", "--", "sh", "-c", "' + t + '"]') + " z",
    "a jj alias that is stored": lambda t: (
        "jj config set --repo aliases.z " + Q('["util", "exec", "--", "sh", "-c", "' + t + '"]')
    ),
    "a jj editor": lambda t: "jj describe --config " + Q('ui.editor="' + t + '"'),
    "make --eval": lambda t: f"make --eval={Q('x: ; ' + t)} x",
    "make --eval, as it is read": lambda t: f"make --eval={Q('$(shell ' + t + ')')}",
    "Python's timeit": lambda t: f"python3 -m timeit -s 'import os' {Q('os.system(' + repr(t) + ')')}",
    "Python's pdb": lambda t: f"python3 -m pdb -c {Q('import os; os.system(' + repr(t) + ')')} x.py",
    "a script under cProfile": lambda t: (
        f"echo {Q('import os; os.system(' + repr(t) + ')')} > x.py; python3 -m cProfile -s time x.py"
    ),
    "a script under trace": lambda t: (
        f"echo {Q('import os; os.system(' + repr(t) + ')')} > x.py; python3 -m trace -t x.py"
    ),
    "a printf that ends its options": lambda t: f"printf -v c -- %s {Q(t)}; eval $c",
    "make": lambda t: f"printf 'all:\\n\\t%s\\n' {Q(t)} > Makefile; make",
}
PREFIXES = ["env A=1 -u B", "command", "exec", "timeout -k 1 5", "nohup", "nice -n 5", "stdbuf -oL", "time -p", "A=1", "sudo -n", "setsid -f", "ionice -c 3", "xvfb-run -a", "strace -f", "env -S", "busybox", "uv run", "npx", "mise exec --", "find . -maxdepth 0 -exec", "command -p", "builtin command", "noglob", "doas", "chronic", "unbuffer"]  # fmt: skip
WORDS = {
    "quotes inside": lambda h, r: f"{h[0]}''{h[1:]} {r}",
    "double quotes": lambda h, r: f'"{h}" {r}',
    "a backslash": lambda h, r: f"\\{h} {r}",
    "an escape": lambda h, r: f"$'\\x{ord(h[0]):02x}'{h[1:]} {r}",
    "a path": lambda h, r: f"/usr/bin/{h} {r}",
    "a variable": lambda h, r: f"c={h}; $c {r}",
    "a default": lambda h, r: f"${{UNSET_:-{h}}} {r}",
    "a substitution": lambda h, r: f"$(echo {h}) {r}",
    "what which says": lambda h, r: f"$(command -v {h}) {r}",
    "an unknown folder": lambda h, r: f'"$BIN"/{h} {r}',
    "braces": lambda h, r: "{" + ",".join([h, *r.split()]) + "}",
    "a line continued": lambda h, r: f"{h} \\\n {r}",
    "blanks": lambda h, r: f"  {h}\t{r}  ",
    "a copy": lambda h, r: f"cp /bin/{h} /tmp/q && /tmp/q {r}",
    "a link": lambda h, r: f"ln -s $(which {h}) ./q; ./q {r}",
    "a comment": lambda h, r: f"{h} {r} # harmless",
    "IFS": lambda h, r: f"IFS=,; c={','.join([h, *r.split()])}; $c",
}


def seen(text):
    request = Request(text=text, cwd=flowlines.CWD, home="/home/dev", dialect="bash")
    found = set()
    for made in read(request, flowlines.Files(), GRAMMARS).invocations:
        options = tuple((o.name, None if o.value is None else o.value.text, o.negated, o.sure) for o in made.options)
        effects = tuple((e.kind, e.path, e.recursive) for e in made.effects)
        if "maybe" not in made.marks:
            found.add(
                (
                    made.program,
                    made.subcommand,
                    options,
                    tuple(o.text for o in made.operands),
                    effects,
                    made.place,
                    made.cwd,
                )
            )
    return found


def told(command):
    return max(seen(command), key=lambda made: made[0] == command.split()[0])


@pytest.mark.parametrize("form", WHOLE)
@pytest.mark.parametrize("command", COMMANDS)
def test_text_that_a_shell_reads(command, form):
    assert told(command) in seen(WHOLE[form](command))


@pytest.mark.parametrize("prefix", PREFIXES)
@pytest.mark.parametrize("command", COMMANDS)
def test_prefixes(command, prefix):
    text = f"{prefix} {Q(command)}" if prefix == "env -S" else f"{prefix} {command}"
    assert told(command) in seen(text + (" \\;" if prefix.endswith("-exec") else ""))


@pytest.mark.parametrize("form", WORDS)
@pytest.mark.parametrize("command", COMMANDS)
def test_spellings_of_words(command, form):
    head, _, rest = command.partition(" ")
    assert told(command) in seen(WORDS[form](head, rest))


DATA = {
    "echo": lambda t: f"echo {Q(t)}",
    "printf": lambda t: f"printf '%s\\n' {Q(t)}",
    "grep": lambda t: f"grep -rn {Q(t)} docs",
    "rg": lambda t: f"rg -F {Q(t)}",
    "commit message": lambda t: f"git commit -m {Q('docs: ' + t)}",
    "commit message from a here-document": lambda t: f"git commit -F - <<'E'\n{t}\nE",
    "commit message from cat": lambda t: f"git commit -m \"$(cat <<'E'\n{t}\nE\n)\"",
    "pull request": lambda t: f"gh pr create --title x --body {Q(t)}",
    "notes": lambda t: f"cat > notes.md <<'E'\n{t}\nE",
    "a comment": lambda t: f"true # {t}",
    "a variable": lambda t: f"x={Q(t)}",
    "Python text": lambda t: f"python3 -c {Q('print(' + repr(t) + ')')}",
    "JSON": lambda t: "curl -d " + Q('{"command": "' + t + '"}') + " u",
    "a test": lambda t: f"[ x = {Q(t)} ]",
    "jq": lambda t: f"jq --arg x {Q(t)} .",
    "tee": lambda t: f"echo {Q(t)} | tee notes.txt",
    "sed": lambda t: f"sed -n {Q('/' + t.replace('/', '.') + '/p')} f",
    "node's argument": lambda t: f"node p.js {Q(t)}",
    "a descriptor that is shown": lambda t: f"exec 3<<< {Q(t)}; cat <&3",
    "a descriptor beside a script": lambda t: f"bash x.sh 3<<< {Q(t)}",
    "a jj setting that is no program": lambda t: "jj config set --user user.name " + Q(t),
    "a dry run of make": lambda t: f"make -n --eval={Q('x: ; ' + t)} x",
    "Python's timing": lambda t: f"python3 -m timeit {Q(repr(t))}",
    "a heredoc of Python that is text": lambda t: f"python3 - <<'E'\nx = {t!r}\nprint(x)\nE",
}


@pytest.mark.parametrize("form", DATA)
@pytest.mark.parametrize("command", COMMANDS)
def test_text_that_is_data(command, form):
    programs = {(made[0], made[1]) for made in seen(DATA[form](command))}
    assert told(command)[:2] not in programs or command.startswith("git commit")


def test_the_comparison_tells_commands_apart():
    assert told("rm -rf /home/dev/x sub") not in seen("rm -rf /home/dev/x")
    assert told("git reset --hard HEAD~1") not in seen("cd sub; git reset --hard HEAD~1")
