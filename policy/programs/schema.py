"""The form of the grammar files in rules/programs/, checked when they are compiled; nothing on the hot path imports this.

An option is one line of text: its spellings, the canonical one first, then how it takes a value, then what the value is.

    "--force -f"              a flag
    "--message -m ="          takes a value, attached or as the next word
    "--signoff -S [=]"        takes a value only when attached (-Skey, --signoff=key)
    "--set =="                takes two words
    "-c =! code:python"       takes a value, and all words after it are operands
    "--chdir -C = cwd"        the value is a directory that the program works in
    "--exec -x = shell"       the value is shell text that it runs

An operand pattern is a list of roles, one for each operand, the last of them repeated by * or +: ["read+", "write"].
"""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import AfterValidator, BaseModel, ConfigDict, Field

EFFECTS = ("read", "write", "append", "create", "delete", "move-from", "move-to", "mode", "execute", "link")
"""What can happen to a path that an operand or a value names."""

LANGUAGES = (
    "sh",
    "python",
    "node",
    "perl",
    "ruby",
    "php",
    "awk",
    "sed",
    "sql",
    "redis",
    "fish",
    "lua",
    "vim",
    "make",
    "other",
)

ROLES = frozenset(
    {
        "data",  # text that is never run and names no path
        "cwd",  # the directory that the program and what it launches work in
        "target",  # the directory that the operands are put into
        "env",  # NAME=value for what it launches
        "argv",  # this word and all after it are a command
        "until",  # words up to ";" are a command
        "words",  # text that is split at blanks into a command
        "program",  # the name of a program that is run
        "shell",  # shell text; as an operand: all words joined by blanks
        "shell-one",  # one operand is shell text, several are an argv
        "git-config",  # key=value of git's configuration
        "remote",  # HOST:PATH or a local path: read
        "remote-to",  # HOST:PATH or a local path: written
        "after",  # the words after the first -- are a command
        "stop",  # given: nothing is launched
        "recipe",  # the name of a script in the project's own task file
        "module",  # a module of the language that is run or imported
        *EFFECTS,
        *(f"code:{name}" for name in LANGUAGES),  # text in a language
        *(f"file:{name}" for name in LANGUAGES),  # a file in a language
    }
)


def _role(text: str) -> str:
    if text.rstrip("?*+") not in ROLES:
        raise ValueError(f"unknown role {text!r}; known: {', '.join(sorted(ROLES))}")
    return text


def _option(text: str) -> str:
    spellings, arity, role = split_option(text)
    if not spellings:
        raise ValueError(f"no spelling in {text!r}")
    if role and arity == 0 and role != "stop":
        raise ValueError(f"{text!r}: only an option with a value can have the role {role!r}")
    if role:
        _role(role)
    return text


Role = Annotated[str, AfterValidator(_role)]
OptionText = Annotated[str, AfterValidator(_option)]

ARITIES = {"=": 1, "[=]": 2, "==": 3, "=!": 4}
"""0 none, 1 a value, 2 an attached value or none, 3 two words, 4 a value that ends the options."""


def split_option(text: str) -> tuple[list[str], int, str]:
    """Spellings, arity and role of an option line."""
    spellings: list[str] = []
    arity, role = 0, ""
    for word in text.split():
        if word in ARITIES:
            arity = ARITIES[word]
        elif word[0] in "-+/" and not arity and not role:
            spellings.append(word)
        elif not role:
            role = word
        else:
            raise ValueError(f"{text!r}: {word!r} is one word too many")
    return spellings, arity, role


class Form(BaseModel):
    """What changes when one of `option` and one of `and_option` are given, none of `no_option`, and fewer operands than `operands_below`."""

    model_config = ConfigDict(extra="forbid")

    option: list[str] = []
    and_option: list[str] = []
    no_option: list[str] = []
    operands_below: int | None = None
    first_operand: list[str] = []
    operands: list[Role] | None = None
    stdin: str | None = None
    inert: bool | None = None
    recursive: bool | None = None
    place: Literal["local", "remote", "container"] | None = None


class Part(BaseModel):
    """A program or one of its subcommands."""

    model_config = ConfigDict(extra="forbid")

    aliases: list[str] = []
    options: list[OptionText] = []
    order: Literal["first", "permute"] | None = None
    abbreviations: bool | None = None
    negation: bool | None = None
    clusters: bool | None = None
    long: Literal["--", "-"] | None = None
    dashes: Literal["end", "operand"] = "end"
    assignments: bool = False
    operands: list[Role] = Field(default_factory=lambda: ["data*"])
    recursive: list[str] | bool = False
    stdin: str = ""
    inert: bool = False
    place: Literal["local", "remote", "container"] = "local"
    when: list[Form] = []


class Grammar(Part):
    """A whole file of rules/programs/."""

    program: str
    like: str | None = None
    reader: str = ""
    inherit: bool = False
    sub_abbreviations: bool | None = None
    unknown_subcommand: Literal["keep", "recipe", "alias", "argv"] = "keep"
    environment: dict[str, Role] = {}
    sub: dict[str, Part] = {}
