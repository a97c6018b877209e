"""Programs named in configuration and environment: git -c core.pager=…, GIT_SSH_COMMAND, PAGER, BASH_ENV, aliases of git."""

from __future__ import annotations

from policy.model import Value
from policy.programs.read import Launch

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from policy.flow.state import State
    from policy.flow.walk import Walk
    from policy.flow.where import Where
    from policy.programs.read import Parsed

SHELL_KEYS = frozenset(
    {
        "core.pager", "core.editor", "sequence.editor", "core.sshcommand", "diff.external", "core.gitproxy", "core.askpass",
        "core.alternaterefscommand", "uploadpack.packobjectshook", "interactive.difffilter", "gpg.program", "core.fsmonitor",
        "sendemail.sendmailcmd", "sendemail.tocmd", "sendemail.cccmd", "web.browser", "gc.recentobjectshook", "help.browser",
    }
)  # fmt: skip
SHELL_ENDS = {
    "diff": ("command", "textconv"),
    "filter": ("clean", "smudge", "process"),
    "gpg": ("program", "defaultkeycommand"),
    "remote": ("uploadpack", "receivepack", "vcs"),
    "trailer": ("command", "cmd"),
    "browser": ("cmd", "path"),
    "man": ("cmd", "path"),
    "difftool": ("cmd", "path"),
    "mergetool": ("cmd", "path"),
    "merge": ("driver",),
    "tar": ("command",),
    "submodule": ("update",),
}
"""First part of a three-part key, and the last parts whose value is run."""

HARMLESS = frozenset({"true", "false", "", "0", "1", "yes", "no", "on", "off", "checkout", "rebase", "merge", "none"})
FILES = ("GIT_CONFIG_GLOBAL", "GIT_CONFIG_SYSTEM", "GIT_CONFIG")
"""Variables that name a file of configuration."""
WRITES = frozenset({"config", "config set"})


def follow(walk: Walk, program: str, parsed: Parsed, grammar: dict[str, Any], state: State, where: Where) -> None:  # noqa: PLR0913, PLR0917
    """Follow what the environment and the configuration of one invocation would run."""
    for name, role in grammar["env"].items():
        value = _variable(name, state, where)
        if value is not None and (value.text or value.known):
            _launch(walk, program, role, value, state, where.under(f"{program} {name}"))
    if program == "jj":
        from policy.flow import jj_settings

        jj_settings.follow(walk, parsed, grammar, state, where)
    if program != "git":
        return
    settings = [*_from_environment(state, where), *_from_options(parsed, state, where), *parsed.config]
    held = _from_files(walk, settings, state, where)
    settings += held
    for setting in held:
        if key_of(setting)[0] == "core.hookspath":  # as the option, for the rules that speak of it
            words = ("git", "-c", setting.text or setting.known, parsed.subcommand or "version")
            walk.emit(
                "git", [Value(w, w) for w in words], _as_option(setting, parsed), state, where.under("git config")
            )
    settings += _stored(parsed, state)
    for setting in settings:
        _setting(walk, setting, parsed, state, where)
    if parsed.subcommand and parsed.subcommand.partition(" ")[0] not in grammar["subs"]:
        _alias(walk, parsed, settings, state, where)


def _as_option(setting: Value, parsed: Parsed) -> Parsed:
    """The same command with the setting as `-c` on its command line."""
    from policy.model import Option
    from policy.programs.read import Parsed as Made

    made = Made()
    made.subcommand, made.options = parsed.subcommand, (Option("-c", setting, "-c"),)
    return made


def _stored(parsed: Parsed, state: State) -> list[Value]:
    """What `git config NAME VALUE` sets, kept for the commands after it where it is an alias or names another file."""
    if parsed.subcommand not in WRITES or len(parsed.operands) < 2:
        return []
    name, value = parsed.operands[0], parsed.operands[1]
    if not name.text or (value.text is None and not value.known):
        return []
    key = name.text.lower()
    if key == "include.path" or (key.startswith("includeif.") and key.endswith(".path")):
        state.git_includes = (*state.git_includes, value.text or "")
    if key.startswith("alias.") and value.text is not None:
        state.git_aliases[name.text[6:]] = value.text
    return [Value(f"{name.text}={value.text}" if value.text is not None else None, f"{name.text}={value.known}")]


def _variable(name: str, state: State, where: Where) -> Value | None:
    for given, value in reversed(where.environment):
        if given == name:
            return value
    if name in state.exported:
        values = state.values.get(name, ())
        return values[0] if len(values) == 1 else None
    return None


def _launch(walk: Walk, program: str, role: str, value: Value, state: State, where: Where) -> None:  # noqa: PLR0913, PLR0917
    from policy.flow import launch

    kind, _, language = role.partition(":")
    where.redirects = ()
    where.environment = ()
    if kind == "program":
        walk.start([value], state.copy(), where)
    else:
        launch.one(walk, program, Launch(kind, [value], language or "sh"), state, where)


def _from_environment(state: State, where: Where) -> list[Value]:
    """GIT_CONFIG_KEY_n and GIT_CONFIG_VALUE_n, and the older GIT_CONFIG_PARAMETERS, as key=value."""
    names = dict(where.environment)
    for name in state.exported:
        values = state.values.get(name, ())
        if len(values) == 1:
            names.setdefault(name, values[0])
    found: list[Value] = []
    for name, key in names.items():
        if name.startswith("GIT_CONFIG_KEY_") and key.text:
            value = names.get("GIT_CONFIG_VALUE_" + name[15:], Value(None))
            found.append(
                Value(f"{key.text}={value.text}" if value.text is not None else None, f"{key.text}={value.known}")
            )
    parameters = names.get("GIT_CONFIG_PARAMETERS")
    if parameters is not None:
        from policy.flow.splitting import split

        found.extend(split(parameters))
    return found


def _from_options(parsed: Parsed, state: State, where: Where) -> list[Value]:
    """--config-env=KEY=NAME, as KEY and what that variable holds."""
    found: list[Value] = []
    for option in parsed.options:
        if option.name == "--config-env" and option.value is not None and option.value.text:
            key, _, name = option.value.text.rpartition("=")
            value = _variable(name, state, where) or Value(None)
            found.append(Value(f"{key}={value.text}" if value.text is not None else None, f"{key}={value.known}"))
    return found


def _from_files(walk: Walk, settings: list[Value], state: State, where: Where) -> list[Value]:
    """What files of configuration hold that this very command or an earlier one of the request names."""
    named = [_variable(name, state, where) for name in FILES]
    named += [key_of(setting)[1] for setting in settings if key_of(setting)[0] == "include.path"]
    named += [Value(path, path) for path in state.git_includes]
    home = walk.home(state) if state.files else None
    written = [f"{home}/{name}" for name in (".gitconfig", ".config/git/config")] if home else []
    named += [Value(path, path) for path in written if path in state.files]
    found: list[Value] = []
    for value in named:
        if value is not None and value.text and value.text != "/dev/null":
            from policy.flow import configuration, files

            held = files.content(walk, value, state, where)
            found += configuration.settings(held[1]) if held is not None else []
    return found


def key_of(setting: Value) -> tuple[str, Value]:
    """The lower-cased key and the value of key=value."""
    text = setting.text if setting.text is not None else setting.known
    key, _, rest = text.partition("=")
    return key.lower(), Value(rest if setting.text is not None else None, rest)


def _setting(walk: Walk, setting: Value, parsed: Parsed, state: State, where: Where) -> None:
    key, value = key_of(setting)
    text = value.text if value.text is not None else value.known
    if not is_command(key) or text.lower() in HARMLESS:
        return
    inner = where.under(f"git {key}")
    del parsed
    if key.startswith("credential."):
        if text[:1] == "!":
            value = Value(None if value.text is None else text[1:], text[1:])
        elif text[:1] != "/":
            return
    _launch(walk, "git", "shell", value, state, inner)


def is_command(key: str) -> bool:
    """Whether git runs the value of a configuration key."""
    if key in SHELL_KEYS or key.startswith("pager."):
        return True
    first, _, rest = key.partition(".")
    last = rest.rpartition(".")[2]
    if first == "credential":
        return last == "helper"
    return ("." in rest and last in SHELL_ENDS.get(first, ())) or (first == "gpg" and rest == "program")


def _alias(walk: Walk, parsed: Parsed, settings: list[Value], state: State, where: Where) -> None:
    """An unknown subcommand is what an alias says, from -c, from this request, or from the repository's own configuration."""
    name = parsed.subcommand
    value: Value | None = None
    for setting in settings:
        key, held = key_of(setting)
        if key == "alias." + name.lower():
            value = held
    if value is None and name in state.git_aliases:
        value = Value(state.git_aliases[name], state.git_aliases[name])
    if value is None and where.place == "local" and len(state.cwd) == 1 and state.cwd[0] is not None:
        value = _from_world(walk, name, state.cwd[0])
    if value is None:
        return
    text = value.text if value.text is not None else value.known
    inner = where.under("git alias")
    if text[:1] == "!":
        from policy.flow import launch

        shell = Value(None if value.text is None else text[1:] + ' "$@"', text[1:])
        launch.shell_text(walk, shell, state, inner, "sh", parsed.tail)
        return
    from policy.flow.splitting import split

    words = [Value("git", "git"), *_options(settings, name), *split(value), *parsed.tail]
    walk.start(words, state, inner)


def _from_world(walk: Walk, name: str, cwd: str) -> Value | None:
    from policy.flow import outside

    text = outside.alias(walk, name, cwd)
    return None if text is None else Value(text, text)


def _options(settings: list[Value], name: str) -> list[Value]:
    words: list[Value] = []
    for setting in settings:
        if key_of(setting)[0] != "alias." + name.lower():
            words += [Value("-c", "-c"), setting]
    return words
