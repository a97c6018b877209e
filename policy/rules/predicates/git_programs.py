"""Programs that people name in git's configuration: which are familiar there, and when one is not after all."""

from __future__ import annotations

from policy.rules.predicates.places import below
from policy.rules.predicates.well_known import TEMPORARY

PAGERS = ("cat", "less", "more", "delta", "diff-so-fancy", "bat")
EDITORS = ("nano", "vim", "vi", "nvim", "emacs", "code", "zed", "subl", "micro", "hx")
HELPERS = ("store", "cache", "osxkeychain", "manager", "manager-core", "libsecret", "wincred", "gh", "glab")
"""What keeps credentials: words after `git credential-`, and the clients of code hosts."""
OTHERS = ("true", ":", "false", "gpg", "gpg2", "ssh-keygen", "ssh", "meld", "vimdiff", "opendiff", "kdiff3", "git", "git-lfs")  # fmt: skip
FAMILIAR = frozenset((*PAGERS, *EDITORS, *HELPERS, *OTHERS))
SIGNS = ";|&`$<>()\n"
"""What makes a shell run more than the one program."""
LOADING = {
    **dict.fromkeys(("vi", "vim", "nvim", "vimdiff"), ("+", "-c", "--cmd", "-S", "-s", "-u")),
    "emacs": ("-eval", "--eval", "-l", "--load", "-f", "--funcall", "--script"),
    **dict.fromkeys(("less", "more"), ("+",)),
    **dict.fromkeys(("bat", "delta", "diff-so-fancy"), ("--pager",)),
    "ssh": ("-F", "-I"),
}
"""How words of a familiar program begin that bring it something else to run."""
NO_FILE = " -F /dev/null"
"""How ssh is told to read no configuration."""


def familiar(value: str) -> bool:
    """Whether a command of git's configuration is one well-known program that starts nothing else by its own options."""
    words = f"{value} ".replace("'", "").replace('"', "").replace(f"{NO_FILE} ", " ").split()
    if not words or any(sign in value for sign in SIGNS):
        return False
    folder, slash, name = words[0].rpartition("/")
    if name not in FAMILIAR or (slash and not _installed(folder)):
        return False
    loading = LOADING.get(name, ())
    return not any(word.startswith(loading) or (name == "ssh" and "command" in word.lower()) for word in words[1:])


def _installed(folder: str) -> bool:
    """Whether programs are installed in such a folder: named from the root or the home, a `bin`, and not among what anybody may put down."""
    return (
        folder.startswith(("/", "~/"))
        and folder.endswith("/bin")
        and not any(below(folder, place) for place in TEMPORARY)
    )
