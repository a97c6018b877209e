"""The rule file format, checked when rules are compiled: the only module that imports pydantic.

A file that does not fit raises `RuleError`, whose message names file, key and, for an unknown key, what may have been meant.
"""

from __future__ import annotations

import difflib
import tomllib
from typing import TYPE_CHECKING, Annotated, Any, Literal, TypeVar, get_args

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, ValidationError, model_validator

from policy.rules import lines
from policy.rules.predicates import FACTS
from policy.rules.predicates.path_class import CLASSES

if TYPE_CHECKING:
    from pydantic_core import ErrorDetails

Action = Literal["deny", "ask", "rewrite", "allow", "advice", "pass"]
EFFECTS = (
    "read", "write", "append", "create", "delete", "move-from", "move-to", "mode", "execute", "link",
)  # fmt: skip


def _as_list(value: Any) -> Any:
    return [value] if isinstance(value, str) else value


Words = Annotated[list[str], BeforeValidator(_as_list)]
T = TypeVar("T", bound=BaseModel)


class RuleError(ValueError):
    """A rule or configuration file that cannot be used; the message is for the person who wrote it."""


class Strict(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)


class Facts(BaseModel):
    """Fact names and their values; `predicate` holds names whose value is simply true."""

    model_config = ConfigDict(extra="allow", frozen=True)
    predicate: Words = []

    @model_validator(mode="after")
    def _known(self) -> Facts:
        for name in self.pairs():
            if name not in FACTS:
                near = difflib.get_close_matches(name, FACTS, 1)
                raise ValueError(f"no fact is called {name!r}" + (f"; did you mean {near[0]!r}?" if near else ""))
        return self

    def pairs(self) -> dict[str, Any]:
        """Every fact with its value."""
        return {**(self.model_extra or {}), **dict.fromkeys(self.predicate, True)}


class Match(Strict):
    """One alternative of a rule; every key that is given must hold."""

    program: Words = []
    no_program: Words = []
    subcommand: Words = []
    any_option: Words = []
    all_options: Words = []
    no_option: Words = []
    operand: Words = []
    no_operand: Words = []
    min_operands: int | None = None
    max_operands: int | None = None
    word: Words = []
    no_word: Words = []
    command: Words = []
    effect: Words = []
    path_class: Words = []
    not_path_class: Words = []
    path: Words = []
    not_path: Words = []
    recursive: bool | None = None
    redirect: bool | None = None
    environment: Words = []
    no_environment: Words = []
    variable: Words = []
    stdin_contains: Words = []
    says: Words = []
    piped_from: Words = []
    piped_to: Words = []
    launched_by: Words = []
    not_launched_by: Words = []
    place: Words = []
    door: Words = []
    host: Words = []
    agent: Words = []
    tool: Words = []
    marks: Words = []
    no_marks: Words = []
    unknown: bool | None = None
    inert: bool | None = None
    started_by_path: bool | None = None
    when: Facts = Facts()
    unless: Facts = Facts()

    @model_validator(mode="after")
    def _names(self) -> Match:
        _among("effect", self.effect, EFFECTS)
        _among("path_class", [*self.path_class, *self.not_path_class], CLASSES)
        _among("place", self.place, ("local", "remote", "container"))
        if not self.effect and (self.path_class or self.not_path_class or self.path or self.not_path):
            raise ValueError("path and path_class speak of an effect: name the kinds in `effect`")
        if not self.model_fields_set - {"place"}:
            raise ValueError("matches everything: give at least one key")
        return self


def _among(key: str, given: list[str], known: tuple[str, ...]) -> None:
    for name in given:
        if name not in known and not name.startswith("$"):
            near = difflib.get_close_matches(name, known, 1)
            raise ValueError(
                f"{key}: {name!r} is none of {', '.join(known)}" + (f"; did you mean {near[0]!r}?" if near else "")
            )


class Example(Strict):
    """A request and what this rule alone says about it."""

    run: str | None = None
    argv: list[str] | None = None
    tool: Literal["write", "edit", "read"] | None = None
    path: str | None = None
    content: str | None = None
    given: dict[str, Any] = {}
    parameters: dict[str, Any] = {}
    expect: Action
    instead: Words = []

    @model_validator(mode="after")
    def _one_request(self) -> Example:
        if sum(x is not None for x in (self.run, self.argv, self.tool)) != 1:
            raise ValueError("an example has exactly one of run, argv and tool")
        return self


class Rule(Strict):
    """One rule file."""

    like: str = ""
    summary: Annotated[str, Field(min_length=1)]
    why: Annotated[str, Field(min_length=1)]
    decision: Action
    strict: Action | None = None
    maybe: Literal["ask", "pass", "advice"] | None = None
    instead: Words = []
    advice: str = ""
    rewrite: str = ""
    translate: str = ""
    escape: bool = False
    severity: Literal["low", "normal", "high", "critical"] = "normal"
    maturity: Literal["stable", "preview"] = "stable"
    final: bool = False
    not_in: dict[Literal["remote", "container"], str] = {}
    profiles: Words = []
    parameters: dict[str, Any] = {}
    match: Annotated[list[Match], Field(min_length=1)]
    when: Facts = Facts()
    unless: Facts = Facts()
    example: list[Example] = []

    @model_validator(mode="after")
    def _whole(self) -> Rule:
        hits = [example for example in self.example if example.expect != "pass"]
        if not hits or len(hits) == len(self.example):
            raise ValueError('needs at least one [[example]] that hits and one near miss with expect = "pass"')
        if self.decision == "advice" and not self.advice:
            raise ValueError("decision = 'advice' needs the text in `advice`")
        if (self.decision == "rewrite") != bool(self.rewrite):
            raise ValueError("decision = 'rewrite' and the key `rewrite` go together")
        first, *options = self.rewrite.split() or ("with-limits",)
        if (
            first != "with-limits"
            or {"--", "-c"} & {*options}
            or any("=" not in o and o[:1] not in "-{" for o in options)
        ):
            raise ValueError(
                "`rewrite` is with-limits and its options, each value attached: 'with-limits --slot=database --wait=20m'"
            )
        if self.escape and self.final:
            raise ValueError("a final rule has no escape")
        return self


def explain(
    error: ValidationError, model: type[BaseModel], file: str, text: str = "", above: lines.Place = ()
) -> RuleError:
    """One of pydantic's complaints in one line: file, line where `text` shows it, key; an unknown key first, with a suggestion.

    `above` is where in the text the table stands that was checked.
    """
    first = first_of(error)
    key = ".".join(str(part) for part in (*above, *first["loc"]))
    message = first["msg"].removeprefix("Value error, ")
    if first["type"] == "extra_forbidden":
        known = _fields(model, first["loc"][:-1])
        near = difflib.get_close_matches(str(first["loc"][-1]), known, 1)
        message = "unknown key" + (f"; did you mean {near[0]!r}?" if near else f"; known are {', '.join(known)}")
    elif first["type"] == "missing":
        message = "it is missing" + lines.MISSING.get(str(first["loc"][-1]), "")
    elif first["type"] == "list_type" and first["loc"][-1] in ("match", "example"):
        message = f"it is written with two brackets, [[{first['loc'][-1]}]]"
    elif first["type"] in lines.SHAPES:
        message += f": {lines.SHAPES[first['type']]}"
    line = lines.line_of(text, (*above, *first["loc"]))
    where = file if line is None else f"{file}:{line}"
    return RuleError(f"{where}: {key}: {message}" if key else f"{where}: {message}")


def first_of(error: ValidationError) -> ErrorDetails:
    """The complaint to tell: an unknown key before whatever follows from it."""
    return min(error.errors(), key=lambda one: one["type"] != "extra_forbidden")


def _fields(model: type[BaseModel], place: tuple[str | int, ...]) -> list[str]:
    """The keys of the table at `place`, as far as the models on the way to it are known."""
    for part in place:
        field = model.model_fields.get(str(part))
        model = _inner(field.annotation) or model if field else model
    return list(model.model_fields)


def _inner(annotation: Any) -> type[BaseModel] | None:
    """The model in an annotation: `Settings`, `dict[str, Override]`, `list[Match]`."""
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        return annotation
    return next((found for one in get_args(annotation) if (found := _inner(one))), None)


def toml(text: str, file: str) -> dict[str, Any]:
    """A TOML text as a table; raises RuleError."""
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        line, told = lines.fault(error, text.splitlines())
        raise RuleError(f"{file}: {told}" if line is None else f"{file}:{line}: {told}") from error
    except RecursionError:
        raise RuleError(f"{file}: {lines.DEEP}") from None


def check(content: dict[str, Any], file: str, model: type[T], text: str = "", above: lines.Place = ()) -> T:
    """A table as `model`; raises RuleError, with the line of the fault when it can be found in `text`, where it stands at `above`."""
    try:
        return model.model_validate(content)
    except ValidationError as error:
        raise explain(error, model, file, text, above) from error


def read(text: str, file: str, model: type[T]) -> T:
    """A TOML text as `model`; raises RuleError."""
    return check(toml(text, file), file, model, text)


def read_what_fits(text: str, file: str, model: type[T]) -> tuple[T, tuple[str, ...]]:
    """A TOML text as `model` without the keys that cannot be used, and what to tell of those."""
    content, faults = lines.readable(text)
    problems = [f"{file}:{line}: {told}{lines.REST}" for line, told in faults]
    while True:
        try:
            return model.model_validate(content), tuple(problems)
        except ValidationError as error:
            told = str(explain(error, model, file, text))
            problems.append(f"{told}{'' if told.endswith('?') else ';'}{lines.LEFT}")
            _without(content, first_of(error)["loc"])


def _without(content: dict[str, Any], place: tuple[str | int, ...]) -> None:
    """Take the key at `place`, or the last thing on the way to it that is there, out of a table."""
    if not place:
        content.clear()
        return
    table: Any = content
    inner: tuple[Any, str | int] = (content, place[0])
    for part in place:
        if not (part in table if isinstance(table, dict) else isinstance(table, list) and isinstance(part, int)):
            break
        inner = (table, part)
        table = table[part]
    del inner[0][inner[1]]
