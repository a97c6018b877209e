"""policy.shell.parse on texts that agents send: which commands, which words, around which constructs."""

from __future__ import annotations

import pytest

from policy.shell import Unparsed, parse, word

COMMANDS = [
    ("", []),
    ("  \n\t\n", []),
    ("# only a comment", []),
    ("ls -la", ["ls -la"]),
    ("cd a && git log | head 2>/dev/null", ["cd a", "git log", "head"]),
    ("a;b;c", ["a", "b", "c"]),
    ("a & b &", ["a", "b"]),
    ("if a; then b; elif c; then d; elif e; then f; else g; fi", ["a", "b", "c", "d", "e", "f", "g"]),
    ("for i in 1 2; do rm $i; done", ["rm ?"]),
    ("for ((i=0;i<$(n);i++)); do a; done", ["n", "a"]),
    ("select x in a b; do c; done", ["c"]),
    ("while read x; do a; done < f", ["read x", "a"]),
    ("until a\ndo b\ndone", ["a", "b"]),
    ("case x in a) b;; (c|d) e;; *) f; esac", ["b", "e", "f"]),
    ("case in in in) a;; esac", ["a"]),
    ("echo $(case x in a) rm q;; esac)", ["echo ?", "rm q"]),
    ("f() { a; }; function g { b; }; f", ["a", "b", "f"]),
    ("time -p a; ! b; time ! c", ["a", "b", "c"]),
    ("a | time b", ["a", "time b"]),
    ("coproc a b", ["a b"]),
    ("coproc N { a; }", ["a"]),
    ("[[ -n $(a) && b =~ (c|d) ]] && e", ["a", "e"]),
    ("((x<2)) && a", ["a"]),
    ("((a); b)", ["a", "b"]),
    ("echo $((1+$(a)))", ["echo ?", "a"]),
    ("echo $((a); (b))", ["echo ?", "a", "b"]),
    ("echo $(a\nb)", ["echo ?", "a", "b"]),
    ("echo 'a'$(b)'c'", ["echo ?", "b"]),
    ("echo a'$(b)'c", ["echo a$(b)c"]),
    ('echo ${x:-$(a)} "${x:-`b`}" ${y[$(c)]} <(d)', ["echo ? ? ? ?", "a", "b", "c", "d"]),
    ("cat <<E\n$(a) `b`\nE\nc", ["cat", "a", "b", "c"]),
    ("cat <<'E'\n$(a)\nE\nc", ["cat", "c"]),
    ("cat <<-E <<'F'\n\tx\n\tE\n$(y)\nF\nc", ["cat", "c"]),
    ("cat <<E\nx\\\nE\n$(a)\nE\nb", ["cat", "a", "b"]),
    ("git commit -m \"$(cat <<'EOF'\nnever git reset --hard\nEOF\n)\"", ["git commit -m ?", "cat"]),
    ("echo `a \\`b\\``", ["echo ?", "a ?", "b"]),
    ("x=$(a) y=(b $(c)) d", ["d", "a", "c"]),
    ("declare -a a=(x $(y))", ["declare -a ?", "y"]),
    ("a[$(b)]=1 c", ["c", "b"]),
    ("a[b c]=1 d", ["d"]),
    ("$'\\x72m' q", ["rm q"]),
    ('$"rm" q', ["rm q"]),
    ("{fd}>x rm q", ["rm q"]),
    ("git status # rm -rf /", ["git status"]),
    ("i\\\nf a; then b; fi", ["a", "b"]),
    ("a &\\\n& b", ["a", "b"]),
    ("echo q\\", ["echo q\\"]),
    ("rm x\r\n", ["rm x\r"]),
    ("${ a; } b", ["? b", "a"]),
    ("echo \"${x:-'$(a)'}\"", ["echo ?", "a"]),
    ("echo $(( '$(a)' ))", ["echo ?", "a"]),
    ("a['$(b)']=5", ["", "b"]),
]


def shown(text: str) -> list[str]:
    return [
        " ".join("?" if item.value is None else item.value for item in command.words)
        for command in parse(text).commands
    ]


@pytest.mark.parametrize(("text", "commands"), COMMANDS, ids=[text[:40] for text, _ in COMMANDS])
def test_commands_in_source_order(text, commands):
    assert shown(text) == commands


REJECTED = [
    "echo $(",
    "'",
    '"',
    "`",
    "${x",
    "if a",
    "a &&",
    ")",
    "a ( b",
    "x=(a)b",
    "cat <<$'E'\nE",
    "echo $(cat <<E)\nE",
    "a\0b",
    "rm !(x) )",
]


@pytest.mark.parametrize("text", REJECTED)
def test_what_cannot_be_read_is_said(text):
    with pytest.raises(Unparsed) as caught:
        parse(text)
    assert caught.value.rule == "shell/unparsed"


def test_frames():
    script = parse("f() { a | b & }; for i in x y; do c; done > log")
    a, b, c = script.commands
    assert [frame.kind for frame in a.context] == ["function", "group", "background", "pipe"]
    assert a.context[3].number == b.context[3].number
    assert (a.context[3].name, b.context[3].name) == ("0", "1")
    assert (b.joiner, c.joiner) == ("|", ";")
    loop = c.context[0]
    assert (loop.kind, loop.name, loop.part) == ("for", "i", "body")
    assert [item.value for item in loop.words or ()] == ["x", "y"]
    assert [(item.operator, item.target.value) for item in loop.redirects if item.target] == [(">", "log")]


def test_pieces_link_to_the_commands_of_their_substitution():
    outer, inner = parse('echo "a $(b) c"').commands
    pieces = outer.words[1].pieces
    assert [(piece.kind, piece.text, piece.quoted) for piece in pieces] == [
        ("text", "a ", True),
        ("command", "", True),
        ("text", " c", True),
    ]
    assert inner.context[-1].kind == "substitution"
    assert inner.context[-1].number == pieces[1].frame


PIECES = [
    ("*.txt", [("glob", "*"), ("text", ".txt")]),
    ("[a-z]x", [("glob", "[a-z]"), ("text", "x")]),
    ("a{b,'c d'}e", [("text", "a"), ("brace", "{b,'c d'}"), ("text", "e")]),
    ("{}", [("text", "{}")]),
    ("~/x", [("tilde", "~"), ("text", "/x")]),
    ("${x:-y}", [("param", "x")]),
    ("$x/y", [("param", "x"), ("text", "/y")]),
    ("$((1+2))", [("arith", "1+2")]),
    ("[", [("text", "[")]),
    ("x=~/y", [("text", "x="), ("tilde", "~"), ("text", "/y")]),
]


@pytest.mark.parametrize(("text", "pieces"), PIECES)
def test_pieces(text, pieces):
    assert [(piece.kind, piece.text) for piece in word(text).pieces] == pieces


def test_here_documents():
    (command,) = parse("cat <<-'E' <<F 3<<<\"x y\"\n\t$(a)\n\tE\nb \\$c\nF\n").commands
    first, second, third = command.redirects
    assert first.body is not None
    assert first.body.value == "$(a)\n"
    assert second.body is not None
    assert second.body.value == "b $c\n"
    assert (third.descriptor, third.operator, third.body and third.body.value) == ("3", "<<<", "x y")


def test_spans_are_those_of_the_text():
    text = "cd a && FOO=1 git log >x"
    assert [text[slice(*command.span)] for command in parse(text).commands] == ["cd a", "FOO=1 git log >x"]


COMMENTS = [
    ("a # b\nc", "bash", ["# b"]),
    ("# a\n  # b", "bash", ["# a", "# b"]),
    ("a '# b' \"# c\" d#e $(f # g\n)", "bash", ["# g"]),
    ("x=(a # b\n)", "bash", ["# b"]),
    ("cat <<E\n# a\nE\n", "bash", []),
    ("(( 1 # 2\n))", "unknown", []),
    ("echo ${#x} ${x#a} $# \\# b", "bash", []),
]


@pytest.mark.parametrize(("text", "dialect", "comments"), COMMENTS)
def test_comments_are_told_from_what_looks_like_them(text, dialect, comments):
    assert [text[slice(*span)] for span in parse(text, dialect).comments] == comments


def test_depth_is_given_back_when_a_reading_fails():
    text = "((a # ${x:-${y\n); b); " * 60 + "echo ${x:-$(c)}"
    assert [command.words[0].value for command in parse(text).commands] == ["a", "b"] * 60 + ["echo", "c"]
