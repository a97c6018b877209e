"""Whether a command that reads a file of secrets shows more of it than the names."""

from __future__ import annotations

from policy.rules.fact import FactResult

TYPE_CHECKING = False
if TYPE_CHECKING:
    from policy.model import Invocation, Reading
    from policy.rules.fact import Question
    from policy.world import World

QUIET = ("--count", "-c", "--quiet", "--silent", "-q", "--files-with-matches", "-l", "--files-without-match", "-L")


def shows_names_only(invocation: Invocation, _world: World, _question: Question, reading: Reading) -> FactResult:
    """It counts, tests, or cuts everything after the name off; or what follows in its pipeline does."""
    from policy.rules.predicates.surroundings import pipeline

    chain = (invocation, *pipeline(reading, invocation, after=True))
    return FactResult(any(map(_keeps_back, chain)))


def _keeps_back(invocation: Invocation) -> bool:
    texts = [v.text or "" for v in invocation.words[1:]]
    if invocation.program in ("grep", "egrep", "fgrep", "rg", "ag", "ack"):
        return invocation.has(*QUIET) or any(text in QUIET for text in texts)
    if invocation.program == "wc":
        return True
    if invocation.program == "cut":
        return any(text in ("-f1", "--fields=1") for text in texts) and any("=" in text for text in texts)
    if invocation.program in ("sed", "awk", "gawk"):
        return any("=.*" in text or "{print $1}" in text or "{ print $1 }" in text for text in texts) and any(
            "=" in text for text in texts
        )
    return False
