"""Random shell programs of marker commands zzN: obfuscated spellings, every compound command, substitutions, here-documents."""

from __future__ import annotations

from typing import TYPE_CHECKING

from shell_parts import BACKTICK_HOLDERS, HOLDERS, PATTERNS, REDIRECTS, SEPARATORS, WORDS

if TYPE_CHECKING:
    from random import Random


class Programs:
    """One random program for each call of `text`. `pending` holds bodies of here-documents that the next end of line must bring."""

    def __init__(self, random: Random, shell: str = "bash") -> None:
        self.random = random
        self.shell = shell
        self.markers = 0
        self.documents = 0
        self.pending: list[str] = []
        self.in_backticks = False

    def text(self) -> str:
        text = self.commands(3)
        return text + "\n" + self.flush() if self.pending else text

    def chance(self, share: float) -> bool:
        return self.random.random() < share

    def pick(self, *options: str) -> str:
        return self.random.choice(options)

    def flush(self) -> str:
        text, self.pending = "".join(self.pending), []
        return text

    def enclosed(self, made: object) -> str:
        """What `made` returns, with its own here-documents, closed before it ends."""
        outer, self.pending = self.pending, []
        text = made()  # type: ignore[operator]
        if self.pending:
            text += "\n" + self.flush()
        self.pending = outer
        return text

    # --- words

    def marker(self) -> int:
        self.markers += 1
        return self.markers

    def name(self) -> str:
        plain = f"zz{self.marker()}"
        if self.chance(0.6):
            return plain
        number = self.markers
        spellings = [f"z'z'{number}", f'z"z"{number}', f'"{plain}"', f"'{plain}'", f'z""z{number}', f"''{plain}"]
        if not self.in_backticks:
            spellings += [f"z\\z{number}", f"\\{plain}", f"z\\\nz{number}", f"\\\n{plain}"]
            if self.shell != "dash":
                spellings += [f"$'\\x7az{number}'", f"z$'z'{number}", f"$'\\172\\u007a{number}'"]
            if self.shell == "bash":
                spellings.append(f'$"{plain}"')
        return self.pick(*spellings)

    def substitution(self, depth: int) -> str:
        inner = self.enclosed(lambda: self.commands(depth - 1))
        return "$(" + self.pick("", "", "\n", " ", "# c ) \n", "\\\n") + inner + self.pick("", "\n", " ") + ")"

    def word(self, depth: int) -> str:
        share = self.random.random()
        if depth <= 0 or share < 0.45:
            return self.random.choice(WORDS)
        if share < 0.47:
            return f"\"${{x:-'$(zz{self.marker()} a)'}}\""
        if share < 0.62:
            return self.random.choice(HOLDERS).replace("%s", self.substitution(depth))
        if share < 0.68 and not self.in_backticks:
            return self.backticks()
        if share < 0.74:
            return self.pick("<", ">") + "(" + self.enclosed(lambda: self.commands(depth - 1)) + ")"
        return self.pick("a", "b_c")

    def backticks(self) -> str:
        self.in_backticks = True
        text = self.enclosed(lambda: self.simple(0))
        self.in_backticks = False
        if any(character in text for character in '\\`"'):
            return "b"
        return self.random.choice(BACKTICK_HOLDERS).replace("%s", text)

    def redirect(self, depth: int) -> str:
        share = self.random.random()
        if share < 0.5:
            return self.random.choice(REDIRECTS)
        if share < 0.7 and not self.in_backticks:
            return self.document(depth)
        return "<<<" + self.word(depth - 1)

    def document(self, depth: int) -> str:
        self.documents += 1
        end = f"E{self.documents}"
        written = self.pick(end, end, f"'{end}'", f'"{end}"', f"\\{end}")
        dash = self.pick("", "", "-")
        if written == end:
            body = self.pick("text", "it's", "a ) b", '"', "# x", "$x", "z", "y", "\\$(q)", f"x\\\n{end}")
            if depth > 0 and self.chance(0.5):
                inner = self.enclosed(lambda: self.simple(0))
                body = self.pick("v $(%s) w", '"$(%s)"', "'$(%s)'", "${x:-$(%s)}").replace("%s", inner)
        else:
            body = self.pick("text", "it's", "a ) b", '"', "# x", "$x", "`", "$(", "\\", "$(zz99)")
        tab = "\t" if dash else ""
        self.pending.append(f"{tab}{body}\n{tab}{end}\n")
        return "<<" + dash + self.pick("", " ") + written

    # --- commands

    def simple(self, depth: int) -> str:
        parts: list[str] = []
        if self.chance(0.15):
            parts.append(self.assignment(depth))
            if parts[0].startswith(("A[", "A=(")):
                return parts[0]
        if self.chance(0.08):
            parts.append(self.pick(">/dev/null", "2>&1", "</dev/null"))
        parts.append(self.name())
        parts += [self.word(depth) for _ in range(self.random.choice([0, 0, 1, 1, 2, 3]))]
        if self.chance(0.25):
            parts.append(self.redirect(depth))
        return " ".join(parts)

    def assignment(self, depth: int) -> str:
        if self.in_backticks:
            return "A=1"
        if depth > 0 and self.chance(0.2):
            return self.pick("A[%s]=1", "A=(%s)", "A+=(x [1]=%s)", "A=%s").replace("%s", self.substitution(depth))
        return self.pick("A=1", "A=", "B+=x", 'A="x y"', "A=$((1+1))", "A[0]=1", "A=(x y)", "A=(\n)", "A=(x # c )\n y)")

    def command(self, depth: int) -> str:
        if depth <= 0 or self.chance(0.5):
            return self.simple(depth)
        kinds = KINDS if self.shell == "bash" else [kind for kind in KINDS if kind != "coproc"]
        made = getattr(self, "make_" + self.random.choice(kinds))
        return str(made(depth))

    def make_if(self, depth: int) -> str:
        text = f"if {self.block(depth)} then {self.block(depth)}"
        for _ in range(self.random.choice([0, 0, 1, 2])):
            text += f" elif {self.block(depth)} then {self.block(depth)}"
        return text + (f" else {self.block(depth)}" if self.chance(0.5) else "") + " fi"

    def make_while(self, depth: int) -> str:
        return f"while ! : {self.word(depth - 1)}; do {self.block(depth)} done"

    def make_until(self, depth: int) -> str:
        return f"until {self.pick('', '! ')}: {self.word(depth - 1)}; do {self.block(depth)} break; done"

    def make_for(self, depth: int) -> str:
        if self.chance(0.3) and not self.pending:
            return f"for i\ndo {self.block(depth)} done"
        return f"for i in {self.word(depth - 1)} b; do {self.block(depth)} done"

    def make_braced_for(self, depth: int) -> str:
        return f"for i in 1 2; {{ {self.block(depth)} }}"

    def make_arithmetic_for(self, depth: int) -> str:
        return f"for ((i=0;i<1;i++)); do {self.block(depth)} done"

    def make_select(self, depth: int) -> str:
        return f"select i in a; do {self.block(depth)} done"

    def make_case(self, depth: int) -> str:
        text = f"case {self.pick('a', '$x', chr(34) + 'a' + chr(34), self.word(depth - 1))} in "
        clauses = self.random.choice([1, 2, 3])
        for clause in range(clauses):
            body = self.block(depth) if self.chance(0.5) else self.simple(depth - 1) + " "
            ends = (";;", ";;", ";&", ";;&") if clause < clauses - 1 else (";;", ";;", ";;" if self.pending else "\n")
            text += self.pick("", "(") + self.random.choice(PATTERNS) + ") " + body + " " + self.pick(*ends)
            text += " " if self.pending else self.pick(" ", "\n")
        return text + " esac"

    def make_case_of_in(self, _depth: int) -> str:
        return f"case in in in) {self.simple(0)};; esac"

    def make_subshell(self, depth: int) -> str:
        return f"({self.pick('', ' ')}{self.block(depth)})"

    def make_group(self, depth: int) -> str:
        return f"{{ {self.block(depth)} }}"

    def make_arithmetic(self, _depth: int) -> str:
        inner = self.enclosed(lambda: self.simple(0))
        return f"(( {self.pick('1', 'x<2', '1+$(' + inner + ')')} ))"

    def make_condition(self, depth: int) -> str:
        tests = (
            "a == b",
            '-n "$x"',
            "a =~ (b|c)",
            "! -z x && ( a < b )",
            '"%s" == [[:alpha:]]',
            "-f x || a",
            "a =~ %s(b c)",
            "a == @(%s|b)",
        )
        return f"[[ {self.random.choice(tests).replace('%s', self.substitution(depth - 1))} ]]"

    def make_function(self, depth: int) -> str:
        name = f"ff{self.random.randrange(99)}"
        head = self.pick(f"{name}()", f"{name} ()", f"{name}( )", f"function {name}", f"function {name} ()")
        redirect = self.pick("", "", " >/dev/null")
        return f"{head} {{ {self.block(depth)} }}{redirect}; {name}"

    def make_time(self, depth: int) -> str:
        return self.pick("time ", "time -p ", "! ", "! time ") + self.command(depth - 1)

    def make_coproc(self, depth: int) -> str:
        return self.pick(
            f"coproc {{ {self.block(depth)} }}", f"coproc N {{ {self.block(depth)} }}", f"coproc {self.simple(0)}"
        )

    def pipeline(self, depth: int) -> str:
        text = self.command(depth)
        if self.chance(0.15):
            text += self.pick(" | ", "|", " |& ", " | \n") + self.command(depth - 1) if not self.pending else ""
        return text

    def commands(self, depth: int) -> str:
        text = self.pipeline(depth)
        for _ in range(self.random.choice([0, 0, 1, 2])):
            separator = "\n" + self.flush() if self.pending else self.random.choice(SEPARATORS)
            text += separator + self.pipeline(depth)
        return text

    def block(self, depth: int) -> str:
        text = self.commands(depth - 1)
        return text + "\n" + self.flush() if self.pending else text + self.pick(";", "\n", "; # z '\n")


KINDS = [name.removeprefix("make_") for name in dir(Programs) if name.startswith("make_")]
