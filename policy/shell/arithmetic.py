"""$(( )), (( )) and $[ ]: arithmetic, or commands that only begin like it."""

from __future__ import annotations

from policy.model import Piece
from policy.shell.budget import Unparsed
from policy.shell.dialects import check_arithmetic

TYPE_CHECKING = False
if TYPE_CHECKING:
    from policy.shell.expansions import Expansions
    from policy.shell.pieces import Pieces

_SEPARATORS = frozenset("\n;&|()<>`")


def parenthesis(scanner: Expansions, i: int, quoted: bool, out: Pieces | None) -> int:
    """Behind $( at `i`: arithmetic where it ends in )), else a command substitution."""
    j = scanner.joined(i)
    if scanner.at(j) == "(":
        end = arithmetic(scanner, j + 1)
        if end:
            check_arithmetic(scanner, j + 1, end - 2)
            if out is not None:
                out.put(Piece("arith", scanner.text[j + 1 : end - 2], quoted), i)
            return end
        _check_extent(scanner, i, j)
    end, frame = scanner.substitution(i, ")")
    if out is not None:
        out.put(Piece("command", "", quoted, "", "", frame), i)
    return end


def _check_extent(scanner: Expansions, i: int, opener: int) -> None:
    """Bash ends a $(( by counting parentheses, even those in a comment or a here-document: refuse where the grammar ends it elsewhere."""
    key = (i, "$((")
    if key in scanner.memo:
        return
    found, scanner.found = scanner.found, []
    scanner.work.enter(scanner.place(i))
    extent = scanner.matched(scanner.matched(opener + 1, "(", ")"), "(", ")")
    end, _ = scanner.substitution(i, ")")
    scanner.work.depth -= 1
    scanner.found = found
    if end != extent:
        raise scanner.fail("$(( may be arithmetic or a substitution, and ends differently in each", i)
    scanner.memo[key] = end, ()


def arithmetic(scanner: Expansions, i: int) -> int:
    """The offset behind the )) that belongs to the (( before `i`, or 0 when this is no arithmetic."""
    key = (i, "((")
    if key not in scanner.memo:
        scanner.memo[key] = _tried(scanner, i)
    got = scanner.memo[key]
    if not isinstance(got, tuple):
        return 0
    scanner.found.extend(got[1])
    return got[0]


def _tried(scanner: Expansions, i: int) -> tuple[int, tuple[int, ...]] | None:
    """Read as arithmetic; what was met in a reading that failed need not be part of the script."""
    found, scanner.found = scanner.found, []
    work = scanner.work
    before, depth = len(work.frames), work.depth
    work.enter(scanner.place(i))
    try:
        end = scanner.matched(i, "(", ")")
        if scanner.at(end) == ")":
            scanner.region(i, end - 1, None)
            return end + 1, tuple(scanner.found)
    except Unparsed as error:
        if error.rule == "shell/too-large":
            raise
    finally:
        scanner.found = found
        work.depth = depth
    work.tentative.update(range(before + 1, len(work.frames) + 1))
    return None


def bracket(scanner: Expansions, i: int, quoted: bool, out: Pieces | None) -> int:
    """Behind $[ at `i`."""
    end = scanner.matched(i, "[", "]")
    scanner.region(i, end - 1, None)
    check_arithmetic(scanner, i, end - 1)
    if scanner.work.posix and not _SEPARATORS.isdisjoint(scanner.text[i:end]):
        raise scanner.fail("$[ is ordinary text in dash, and this holds operators", i)
    if out is not None:
        out.put(Piece("arith", scanner.text[i : end - 1], quoted), i)
    return end
