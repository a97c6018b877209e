"""Facts about the words of a command whose program has no grammar of its own, or whose grammar does not say enough."""

from __future__ import annotations

from policy.rules.fact import NO, FactResult
from policy.rules.glob import matches

TYPE_CHECKING = False
if TYPE_CHECKING:
    from policy.model import Invocation, Reading
    from policy.rules.fact import Question
    from policy.world import World


def plain_words(invocation: Invocation) -> list[tuple[str, bool]]:
    """The words after the program that are no options; the flag tells that an option stands before it (so it may be that one's value)."""
    found: list[tuple[str, bool]] = []
    after_option = False
    for value in invocation.words[1:]:
        text = value.text if value.text is not None else value.known
        if text.startswith("-") and text not in ("-", "--"):
            after_option = "=" not in text
            continue
        if text != "--":
            found.append((text, after_option))
        after_option = False
    return found


def first_words(invocation: Invocation, _world: World, question: Question, _reading: Reading) -> FactResult:
    """The words that are no options begin with one of the phrases ("config set", globs allowed); "-x*" looks at the first word as it is."""
    first = invocation.words[1].text or "" if len(invocation.words) > 1 else ""
    for phrase in question.value:
        if matches(first, phrase) if phrase.startswith("-") else begins(invocation, phrase.split()):
            return FactResult(True)
    return NO


def begins(invocation: Invocation, phrase: list[str]) -> bool:
    """The words that are no options begin with those of the phrase (globs allowed); one behind an option may be that option's value."""
    words = plain_words(invocation)
    start = 0
    while True:
        if len(words) - start >= len(phrase) and all(
            matches(word, part) for (word, _), part in zip(words[start:], phrase, strict=False)
        ):
            return True
        if start >= len(words) or not words[start][1]:
            return False
        start += 1


def verb(invocation: Invocation, _world: World, question: Question, _reading: Reading) -> FactResult:
    """One of the words after the first, none of them an option's value, is one of the verbs."""
    for word, after_option in plain_words(invocation):
        if not after_option and any(matches(word, pattern) for pattern in question.value):
            return FactResult(True, (word,), 1)
    return NO


def raw_contains(invocation: Invocation, _world: World, question: Question, _reading: Reading) -> FactResult:
    """A word as it was written contains one of the texts ("$(docker ps")."""
    return FactResult(any(text in v.raw for v in invocation.words for text in question.value))


def answered(invocation: Invocation, _world: World, _question: Question, _reading: Reading) -> FactResult:
    """Answers are given as options after the generator's name."""
    texts = [v.text or "" for v in invocation.words[2:]]
    return FactResult(any((text.startswith("--") and len(text) > 2) or text in ("-y", "-t") for text in texts))


def runs_from(invocation: Invocation, _world: World, question: Question, _reading: Reading) -> FactResult:
    """The program is started by a path that fits one of the patterns."""
    return FactResult(any(matches(invocation.path, pattern) for pattern in question.value), (invocation.path,), 1)


def narrowed_kill(invocation: Invocation, _world: World, _question: Question, _reading: Reading) -> FactResult:
    """Only processes of one parent, group, session or terminal, or the newest or oldest one, are meant."""
    narrow = (
        "--parent",
        "-P",
        "--pgroup",
        "-g",
        "--session",
        "-s",
        "--terminal",
        "-t",
        "--newest",
        "-n",
        "--oldest",
        "-o",
        "--list",
        "-l",
    )
    return FactResult(
        invocation.has(*narrow) or any(v.text in ("-P", "-g", "-s", "-t", "-n", "-o") for v in invocation.words[1:])
    )


def kill_all(invocation: Invocation, _world: World, _question: Question, _reading: Reading) -> FactResult:
    """-1 stands where a process id stands, not where the signal does."""
    texts = [v.text for v in invocation.words[1:]]
    return FactResult("-1" in texts[1:] or texts == ["--", "-1"])


def sweeping(_invocation: Invocation, _world: World, question: Question, _reading: Reading) -> FactResult:
    """The paths come from a pattern, so that nobody named each of them."""
    return FactResult(
        any(e.glob or (e.value is not None and any(sign in e.value.raw for sign in "*?[")) for e in question.matched)
    )
