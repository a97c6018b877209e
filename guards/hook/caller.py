"""Who called the hook, besides what the payload says: the environment that the judged command would inherit, and its home."""

from __future__ import annotations

import posix

from guards.hook.call import folder_at, text_at
from policy.model import Request
from policy.record import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

_DIALECTS = {"bash": "bash", "zsh": "zsh", "fish": "fish", "sh": "sh", "dash": "sh"}


class Caller(Record):
    """`environment` says what the text means (`~`, `$VAR`); it decides nothing."""

    environment: Mapping[str, str]
    host: str = ""

    @property
    def home(self) -> str | None:
        """What `~` stands for in the judged text."""
        home = self.environment.get("HOME", "")
        return home if home.startswith("/") else None

    def shell(self, *among: str) -> str:
        """The dialect of the user's shell by $SHELL when it is one of `among`, else "unknown"."""
        dialect = _DIALECTS.get(self.environment.get("SHELL", "").rpartition("/")[2], "unknown")
        return dialect if dialect in among else "unknown"

    def about(self, payload: Mapping[str, Any], session: str = "session_id", *folders: str) -> Request:
        """A request without its command yet: where the payload says that it runs (`folders`, else `cwd`), and in whose session."""
        return Request(
            cwd=folder_at(payload, *(folders or ("cwd",))),
            environment=self.environment,
            home=self.home,
            host=self.host,
            session=text_at(payload, session, default=""),
            agent=_name(payload.get("agent_type")),
        )

    @classmethod
    def of_process(cls, host: str) -> Caller:
        """This process's own environment."""
        return cls({_text(name): _text(value) for name, value in posix.environ.items()}, host)


def _name(value: object) -> str:
    """The sub-agent's name, as far as it is one."""
    return value if isinstance(value, str) else ""


def _text(raw: bytes) -> str:
    return raw.decode("utf-8", "surrogateescape")
