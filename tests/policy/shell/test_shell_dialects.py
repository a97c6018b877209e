"""Texts that zsh or dash read otherwise than bash: each command that they run is reported, unknown, or the text is refused."""

from __future__ import annotations

import re
import shutil

import pytest

from policy.shell import Unparsed, parse

# C stands for the hidden command. The rows follow the measured list: Z for zsh, D for dash, B for bash itself.
ZSH = [
    "((C ]))", '((C "]"))', '((C ")" ))', '((a;C "]"))', "if ((C ])); then a; fi", "a $((C ]))", 'a "$((C ]))"',
    "x=()C", "x+=()C", "x[1]=()C", "x=(a)C b", "a &!C", "a >f&!C", "a&!C", "1=a C", "0=a C", "1+=a C", "1=a 2=b C", "é=1 C", "aé=1 C",
    "C$= x", "C$~ x", "C$^ x", 'C"$=" x', "C$== x", "$=a C", "c='C x'; $=c", "$~c", "=C x", "exec =C", "command =C", "''=C",
    "a *(e:'C':)", "*(+C)", "a > *(e:'C':)", "x=(*(e:'C':))", "for i in *(e:'C':); do a; done", "${x:-*(e:'C':)}", "[[ -n *(#qNe:'C':) ]]",
    '"${(e):-\\$(C)}"', "a ${(e)x}", "cat <<E\n${(e)x}\nE", "functions[f]='C'; f", "functions=(f C); f", "functions+=(f C); f", "set -A functions f C; f",
    'typeset "functions[f]=C"; f', "printf -v 'functions[f]' C; f", "aliases[x]=C; eval x", "READNULLCMD=C; <f", "NULLCMD=C; >f", "a >! f", "a >!f",
    "a[&C ]=", "a[b\nC ]=1",
]  # fmt: skip
DASH = [
    "((C a))", "(((C)))", "if ((C)); then a; fi", "((a && C)) || b", "((x=1, C))", "[[ a || C ]]", "[[ -n a ||\nC b ]]", "[[ a\nC ]]", "[[ ;C ]]", "[[ a | C ]]",
    "a &>f C", "a &>>f C", "{ :&>f C;}", "a $'x\\'; C #'", "a <<$'E'\nx\n$E\nC", "a[;C;]=1 b", "f() C; f",
]  # fmt: skip
BASH = [
    "[[ 'x[$(C)]' -eq 0 ]]", "[[ -v 'x[$(C)]' ]]", "test -v 'x[$(C)]'", "let 'x[$(C)]'", "printf -v 'x[$(C)]' a", "read 'x[$(C)]'", "typeset 'x[$(C)]=1'",
    "c='x[$(C)]'; ((c))", "a[b c]=1 C", "a[b;c]=1 C", "a[b\nc]=1 C", "a[b|c]=1 C", "a[b>c]+=1 C", "a[(b)]=1 C", "a[b)c]=1 C", "${ C; }", "${| C; }",
    "a['$(C)']=5", "echo ${a['$(C)']}", "a=(['$(C)']=5)", "echo $(( '$(C)' ))", "echo \"${x:-'$(C)'}\"", "echo \"${x:-$'\\x24(C)'}\"", "echo \"${x:-'\"'$(C)\"'}\"",
    "echo $(cat <<E)\nit's\nE\nC # '", "! time C", "coproc N { C; }", "select x in a; do C; done <f",
]  # fmt: skip
TABLE = [
    *[(text, dialect) for text in ZSH for dialect in ("zsh", "unknown")],
    *[(text, dialect) for text in DASH for dialect in ("sh", "unknown")],
    *[(text, dialect) for text in BASH for dialect in ("bash", "unknown")],
]


def with_marker(text):
    return re.sub(r"\bC\b", "zz1", text)


@pytest.mark.parametrize(("text", "dialect"), TABLE)
def test_the_command_is_not_hidden(text, dialect):
    try:
        commands = parse(with_marker(text), dialect).commands
    except Unparsed:
        return
    names = {word.value for command in commands for word in command.words[:1]}
    words = {
        word.value for command in commands for word in command.words if command.words[0].value in ("exec", "command")
    }
    assert {"zz1", None} & (names | words), names


INNOCENT = [
    "[[ -f a && -n $x ]] && b", "[ a = b ] && c", "x=(a b); a ${x[@]} ${#x} ${x//a/b}", 'a $((x + 1)) $(( $(wc -l < "$f") + 1 ))', 'a "${x:-$(b)}"',
    "pip install requests==2.28 --a=b", "for ((i=0;i<3;i++)); do a; done", "(( i++ )) || true", "echo {a,b}", "cat <<'E'\n${(e)x}\nE", "a 2>&1 &>/dev/null",
    "path=/tmp; a $path", "f() { a; }; f", "[[ $x =~ ^(a|b)+$ ]] && c", "a | b |& c", "time a", 'echo "a!" #!x', "a --parameters commands=ls",
]  # fmt: skip


@pytest.mark.parametrize("dialect", ["bash", "sh", "unknown", "zsh"])
@pytest.mark.parametrize("text", INNOCENT)
def test_ordinary_texts_are_read_in_every_dialect(text, dialect):
    assert parse(text, dialect).commands


RAN = (
    [("zsh", text) for text in ZSH]
    + [("dash", text) for text in DASH]
    + [("bash", text) for text in BASH if not text.startswith("${")]
)


@pytest.mark.parametrize(("shell", "text"), RAN)
def test_what_that_shell_runs_is_reported(markers, shell, text):
    if shutil.which(shell) is None:
        pytest.skip(f"{shell} is not installed")
    text = with_marker(text)
    dialect = {"zsh": "zsh", "dash": "sh", "bash": "bash"}[shell]
    try:
        names = {word.value for command in parse(text, dialect).commands for word in command.words}
    except Unparsed:
        return
    assert markers.executed(shell, text) <= names or None in names


FOREIGN = [
    ("Remove-Item -Recurse -Force C:\\x", "unknown"),
    ("Get-ChildItem | Where-Object Name", "unknown"),
    ("del /s /q build", "unknown"),
    ("rmdir /s build", "unknown"),
    ("git status", "powershell"),
    ("git status", "cmd"),
    ("a (b)", "fish"),
    ("and a", "fish"),
    ("a 'x\\' '; b #'", "fish"),
    ("a $x", "fish"),
]


@pytest.mark.parametrize(("text", "dialect"), FOREIGN)
def test_foreign_texts_are_never_read_as_bash(text, dialect):
    with pytest.raises(Unparsed, match=r"for (fish|PowerShell|cmd)"):
        parse(text, dialect)


@pytest.mark.parametrize("text", ["git status", "git commit -m 'fix it' && git push | cat"])
def test_plain_words_mean_the_same_in_fish(text):
    assert [command.words for command in parse(text, "fish").commands] == [
        command.words for command in parse(text).commands
    ]


@pytest.mark.parametrize("text", ["ls /a", "X-Y z", "dir /etc", "copy a b", "Xvfb-run a"])
def test_other_texts_are_not_taken_for_foreign_ones(text):
    assert parse(text, "unknown").commands
