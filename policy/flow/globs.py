"""Shell patterns matched against text, without regular expressions."""

from __future__ import annotations


def matches(pattern: str, text: str) -> bool:
    """Whether a pattern of * ? [ ] and literals matches the whole text."""
    memo: dict[tuple[int, int], bool] = {}
    while "**" in pattern and "\\" not in pattern:
        pattern = pattern.replace("**", "*")
    if len(pattern) * (len(text) + 1) > 20_000:
        return True
    return _from(pattern, 0, text, 0, memo)


def _from(pattern: str, p: int, text: str, t: int, memo: dict[tuple[int, int], bool]) -> bool:
    while p < len(pattern):
        mark = pattern[p]
        if mark == "*":
            return _star(pattern, p + 1, text, t, memo)
        if t >= len(text):
            return False
        if mark == "?":
            p, t = p + 1, t + 1
        elif mark == "[" and (end := pattern.find("]", p + 2)) > 0:
            if not _in_set(pattern[p + 1 : end], text[t]):
                return False
            p, t = end + 1, t + 1
        else:
            if mark == "\\" and p + 1 < len(pattern):
                p += 1
                mark = pattern[p]
            if mark != text[t]:
                return False
            p, t = p + 1, t + 1
    return t == len(text)


def _star(pattern: str, p: int, text: str, t: int, memo: dict[tuple[int, int], bool]) -> bool:
    while p < len(pattern) and pattern[p] == "*":
        p += 1
    if p == len(pattern):
        return True
    for start in range(t, len(text) + 1):
        key = (p, start)
        if key not in memo:
            memo[key] = _from(pattern, p, text, start, memo)
        if memo[key]:
            return True
    return False


def _in_set(body: str, mark: str) -> bool:
    negated = body[:1] in "!^"
    if negated:
        body = body[1:]
    found, index = False, 0
    while index < len(body):
        if index + 2 < len(body) and body[index + 1] == "-":
            found = found or body[index] <= mark <= body[index + 2]
            index += 3
        else:
            found = found or body[index] == mark
            index += 1
    return found != negated
