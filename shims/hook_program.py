"""Compiles the hook: what templates/hook.sh and the front do, in a program that starts in a tenth of a shell's time."""

from __future__ import annotations

from shims import generate
from shims.compiler import build, listed, literal
from shims.front import INNOCENT, SHAPES, TEXTS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    from shims.front import Watched
    from shims.generate import Answer, Places
    from shims.skip import Form, Table

REFUSES = 2


def write(
    layout: Places, answers: Mapping[str, Answer], front: tuple[Table, Watched, str] | None, compiler: str = "cc"
) -> bool:
    """Put the program in the place of the script BIN/gatepost-hook; False where it cannot be made.

    `front` is the table of requests that can concern no rule, what makes it stale, and the file that counts silent answers; None: all go to Python.
    """
    made = build(layout.compiled, "hook.c", {"TABLES": _tables(layout, answers, front)}, ("hook", REFUSES), compiler)
    if not made:
        return False
    generate.put(generate.hook_path(layout), made, 0o755, later=generate.LATER)
    return True


def _tables(layout: Places, answers: Mapping[str, Answer], front: tuple[Table, Watched, str] | None) -> str:
    texts = {"python": layout.python, "entry": f"{layout.compiled}/hook.pyc", "own_path": generate.hook_path(layout)}
    lists = {"innocent": INNOCENT, "texts": TEXTS, "guarded": (), "present": (), "absent": ()}
    shared = _Lists()
    forms: list[str] = []
    others = "{NULL, NULL, NULL, NULL}"
    if front is not None:
        table, watched, counter = front
        texts |= {"policy": watched.policy, "since_path": watched.since, "counter": counter}
        lists |= {"guarded": tuple(sorted(table.guarded)), "present": watched.present, "absent": watched.absent}
        forms = [shared.form(form) for form in sorted(table.forms, key=lambda form: form.program)]
        others = others if table.others is None else shared.form(table.others)
    else:
        texts |= dict.fromkeys(("policy", "since_path", "counter"), "")
    shapes = [f"{{{literal(host)}, {literal(event)}, {literal(tool)}}}" for host, (event, tool) in SHAPES.items()]
    said = [_answer(literal(host), answer) for host, answer in sorted(answers.items())]
    said.append(_answer("NULL", generate.Answer("", f"gatepost: {generate.MISSING}\n", REFUSES)))
    return "\n".join(
        [
            *(listed(name, members) for name, members in lists.items()),
            *(f"static const char *const {name} = {literal(text)};" for name, text in texts.items()),
            f"enum {{ fronted = {int(front is not None)} }};",
            *shared.lines,
            f"static const struct form forms[] = {{{', '.join([*forms, '{NULL, NULL, NULL, NULL}'])}}}, others = {others};",
            f"static const struct shape shapes[] = {{{', '.join([*shapes, '{NULL, NULL, NULL}'])}}};",
            f"static const struct answer answers[] = {{{', '.join(said)}}};",
        ]
    )


class _Lists:
    """Lists of patterns, each written once."""

    def __init__(self) -> None:
        self.names: dict[tuple[str, ...], str] = {}
        self.lines: list[str] = []

    def of(self, texts: tuple[str, ...]) -> str:
        if texts not in self.names:
            self.names[texts] = f"list{len(self.names)}"
            self.lines.append(listed(self.names[texts], texts))
        return self.names[texts]

    def form(self, form: Form) -> str:
        """A C initialiser."""
        return f"{{{literal(form.program)}, {literal(form.subcommand)}, {self.of(form.avoid)}, {self.of(form.paths)}}}"


def _answer(host: str, answer: Answer) -> str:
    said = answer.stdout.rstrip("\n") + "\n" if answer.stdout else ""
    return f"{{{host}, {literal(said)}, {literal(answer.stderr)}, {answer.status}}}"
