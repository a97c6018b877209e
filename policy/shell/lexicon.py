"""The characters and words that mean something to the shell."""

from __future__ import annotations

NAME_START = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_")
DIGITS = frozenset("0123456789")
NAME = NAME_START | DIGITS
BREAKS = frozenset(" \t\n;&|()<>")
"""Characters that end an unquoted word."""

SPECIAL_PARAMETERS = frozenset("0123456789@*#?-$!")

OPERATORS = {
    "&&": "AND_AND",
    "||": "OR_OR",
    ">>": "GREATER_GREATER",
    "<<": "LESS_LESS",
    "<&": "LESS_AND",
    "<<<": "LESS_LESS_LESS",
    ">&": "GREATER_AND",
    ";;": "SEMI_SEMI",
    ";&": "SEMI_AND",
    ";;&": "SEMI_SEMI_AND",
    "<<-": "LESS_LESS_MINUS",
    "&>": "AND_GREATER",
    "&>>": "AND_GREATER_GREATER",
    "<>": "LESS_GREATER",
    ">|": "GREATER_BAR",
    "|&": "BAR_AND",
    "(": "LEFT_PAREN",
    ")": "RIGHT_PAREN",
    "|": "BAR",
    ";": "SEMICOLON",
    "<": "LESS",
    ">": "GREATER",
    "&": "AMPERSAND",
}
RESERVED = {
    "if": "IF",
    "then": "THEN",
    "else": "ELSE",
    "elif": "ELIF",
    "fi": "FI",
    "case": "CASE",
    "esac": "ESAC",
    "for": "FOR",
    "select": "SELECT",
    "while": "WHILE",
    "until": "UNTIL",
    "do": "DO",
    "done": "DONE",
    "in": "IN",
    "function": "FUNCTION",
    "time": "TIME",
    "{": "LEFT_CURLY",
    "}": "RIGHT_CURLY",
    "!": "BANG",
    "[[": "COND_START",
    "]]": "COND_END",
    "coproc": "COPROC",
}

REDIRECTING = frozenset(
    "LESS GREATER GREATER_GREATER LESS_LESS LESS_LESS_LESS LESS_LESS_MINUS LESS_AND GREATER_AND LESS_GREATER GREATER_BAR AND_GREATER AND_GREATER_GREATER".split()  # noqa: SIM905  # a table of one column
)
CASE_ENDS = frozenset(("SEMI_SEMI", "SEMI_AND", "SEMI_SEMI_AND"))
OPENERS = frozenset(
    "NEWLINE SEMICOLON LEFT_PAREN RIGHT_PAREN BAR AMPERSAND LEFT_CURLY RIGHT_CURLY AND_AND BANG BAR_AND DO DONE ELIF ELSE ESAC FI IF OR_OR THEN TIME COPROC UNTIL WHILE ARITH_CMD COND_END".split()  # noqa: SIM905
) | {""}
"""Terminals behind which a command begins and a word may be reserved; behind CASE_ENDS it may be reserved too."""

ZSH_COMMANDS = frozenset(("READNULLCMD", "NULLCMD"))
"""Parameters of zsh whose value is a command that it runs."""

ZSH_TABLES = "functions aliases galiases saliases commands builtins options"
ZSH_SPECIAL = ZSH_COMMANDS.union(ZSH_TABLES.split(), [f"dis_{name}" for name in ZSH_TABLES.split()])
"""Those, and its tables of what a name means."""
