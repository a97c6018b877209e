"""Take secrets out of text before it is kept or shown. Plain string work, for the hook's hot path; too much is taken rather than too little."""

from __future__ import annotations

HIDDEN = "[hidden]"

_PREFIXES = (
    "ghp_", "gho_", "ghu_", "ghs_", "ghr_", "github_pat_", "glpat-", "sk-", "sk_live_", "sk_test_", "rk_live_", "pk_live_", "xoxb-", "xoxp-",
    "xoxa-", "xoxr-", "xapp-", "AKIA", "ASIA", "AIza", "ya29.", "npm_", "pypi-", "hf_", "dop_v1_", "SG.", "eyJ", "age-secret-key-", "AGE-SECRET-KEY-",
)  # fmt: skip
"""How well-known tokens begin; what follows must be at least 12 letters of a token."""
_NAMES = ("token", "secret", "passw", "passphrase", "pwd", "apikey", "api_key", "api-key", "credential", "private_key", "private-key", "access_key", "accesskey", "authorization", "cookie", "bearer")  # fmt: skip
"""Parts of the name of a variable, option or header whose value is a secret."""
_OPTIONS_OF = {
    "sshpass": "-p",
    "mysql": "-p",
    "mysqldump": "-p",
    "mysqladmin": "-p",
    "redis-cli": "-a",
    "ldapsearch": "-w",
}
"""Programs with a short option that takes a password, attached or as the next word."""
_TRIGGERS = (
    *_NAMES,
    *_OPTIONS_OF,
    "://",
    "-----begin",
    " -u",
    " --user",
    " --proxy-user",
    *(prefix.lower() for prefix in _PREFIXES),
)
_TOKEN = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-.+/=~")
_BREAKS = frozenset(" \t\n\r'\"`;|&<>(){},")
_QUOTES = frozenset("'\"")
_SCHEMES = ("bearer", "basic", "token")
"""What may stand between the name of a header and its secret."""
_USER_OPTIONS = ("-u", "--user", "--proxy-user")


def text(source: str) -> str:
    """The source with what looks like a secret replaced by HIDDEN: known tokens, values of secret-sounding names, URL passwords, key blocks."""
    lower = source.lower()
    if not any(trigger in lower for trigger in _TRIGGERS):
        return source
    if "-----begin" in lower:
        source = _without_key_blocks(source)
    parts: list[str] = []
    taken_for = before = option = ""
    words = iter(_words(source))
    for word in words:
        if taken_for == "value" and word[-1] in _QUOTES:
            parts += [word, HIDDEN, next((later for later in words if word[-1] in later), "")]
            taken_for = ""
        elif word[0] in _BREAKS:
            parts.append(word)
        else:
            option = _OPTIONS_OF.get(word.rpartition("/")[2], option)
            shown, taken_for = _shown(word, taken_for, before, option)
            parts.append(shown)
            before = word
    return "".join(parts)


def _words(source: str) -> list[str]:
    """Runs of word characters and runs of breaks, in order; joined they are the source."""
    words: list[str] = []
    start = 0
    for index in range(1, len(source) + 1):
        if index == len(source) or (source[index] in _BREAKS) != (source[start] in _BREAKS):
            words.append(source[start:index])
            start = index
    return words


def _shown(word: str, taken_for: str, before: str, option: str) -> tuple[str, str]:
    """The word as it may be shown, and what the next word is to be taken for: "" text, "value" a secret, "user" name:password.

    `before` is the word before it, `option` the one that takes a password of the program spoken of.
    """
    if taken_for == "value":
        return (word, "value") if word.lower() in _SCHEMES else (HIDDEN, "")
    if taken_for == "user" and ":" in word:
        return word.partition(":")[0] + ":" + HIDDEN, ""
    if option and word.startswith(option):
        return (word, "value") if word == option else (option + HIDDEN, "")
    for mark in "=:":
        name, found, value = word.partition(mark)
        if found and _secret(name or before) and not value.startswith("//"):
            return (name + mark + HIDDEN, "") if value else (word, "value")
    return _plain(word)


def _plain(word: str) -> tuple[str, str]:
    """A word that no word before it makes a secret."""
    if word in _USER_OPTIONS:
        return word, "user"
    if word.lower() == "bearer" or (word.startswith("-") and _secret(word)):
        return word, "value"
    return _without_tokens(_without_password(word)), ""


def _secret(name: str) -> bool:
    lower = name.lower()
    return any(part in lower for part in _NAMES)


def _without_password(word: str) -> str:
    """`scheme://user:password@host` with the password hidden; a lone user part of 20 letters or more is taken for a token."""
    scheme, mark, rest = word.partition("://")
    authority, slash, path = rest.partition("/")
    user, at, host = authority.rpartition("@")
    if not mark or not at:
        return word
    name, colon, _ = user.partition(":")
    shown = f"{name}:{HIDDEN}" if colon else (HIDDEN if len(user) >= 20 else user)
    return f"{scheme}://{shown}@{host}{slash}{path}"


def _without_tokens(word: str) -> str:
    for prefix in _PREFIXES:
        start = word.find(prefix)
        while start >= 0:
            end = start + len(prefix)
            while end < len(word) and word[end] in _TOKEN:
                end += 1
            at_boundary = start == 0 or not word[start - 1].isalnum()
            if at_boundary and end - start - len(prefix) >= 12:
                word = word[:start] + HIDDEN + word[end:]
                end = start + len(HIDDEN)
            start = word.find(prefix, end)
    return word


def _without_key_blocks(source: str) -> str:
    """-----BEGIN … PRIVATE KEY----- to its end (or to the end of the text)."""
    start = source.find("-----BEGIN")
    while start >= 0:
        end = source.find("-----END", start)
        after = source.find("-----", end + 8) + 5 if end >= 0 else len(source)
        after = after if after > 4 else len(source)
        source = source[:start] + HIDDEN + source[after:]
        start = source.find("-----BEGIN", start + len(HIDDEN))
    return source
