"""The hook: one host payload on stdin, one JSON object or nothing on stdout. Whatever goes wrong inside ends in ask, or in deny."""

from __future__ import annotations

import _signal  # type: ignore[import-not-found]
import posix

from guards.hook.call import Reply, Unreadable

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, NoReturn

    from guards.hook.call import Call
    from guards.hook.hosts import Host
    from guards.hook.settle import Judge
    from guards.layout import Layout
    from policy.model import Decision

PATIENCE = 25.0
"""Seconds after which the hook gives up on itself, under the 30 that hosts are told: most of them run the command after a timeout."""


class Overdue(BaseException):
    """The hook took longer than PATIENCE. Not an Exception, so that no fact takes it for its own failure."""


def main(host: str, layout: Layout, head: bytes = b"", *, over: bool = False) -> NoReturn:
    """Answer the request on stdin and end the process. `head` is what the launcher has read of it; `over`: it has seen its end."""
    try:
        _signal.signal(_signal.SIGALRM, _overdue)
        _signal.pthread_sigmask(_signal.SIG_UNBLOCK, (_signal.SIGALRM,))  # a host may hand on that it is blocked
        _signal.setitimer(_signal.ITIMER_REAL, PATIENCE)
        reply = answer(host, layout, descriptor=None if over else 0, head=head)
    except BaseException as error:  # noqa: BLE001
        reply = _last_word(error)
    _end(reply)


def _overdue(_number: int, _frame: object) -> None:
    raise Overdue


def answer(
    host: str, layout: Layout, *, descriptor: int | None = 0, head: bytes = b"", judge: Judge | None = None
) -> Reply:
    """The reply to one payload. Never raises for a host that is in the table and whose module renders."""
    from guards.hook.hosts import HOSTS, find

    if host not in HOSTS:
        return Reply(
            "", f"gatepost-hook HOST: no host is called {host!r}; known are {', '.join(HOSTS)}. [hook/host]\n", 2
        )
    module = find(host)
    call: Call | None = None
    try:
        from guards.hook.document import read_document
        from guards.hook.settle import settled

        module, call, fault = _understood(module, host, read_document(descriptor, head))
        if fault is not None:
            decision = _failed(fault, call, layout)
        elif call is None:
            decision = _no_opinion()
        else:
            decision = settled(call, layout, judge, asks=module.ASKS and call.attended)
    except BaseException as error:  # noqa: BLE001
        decision = _failed(error, call, layout)
    return _rendered(module, decision, call)


def _understood(module: Host, host: str, payload: dict[str, Any]) -> tuple[Host, Call | None, Unreadable | None]:
    """The call, or what is wrong with it, by the host named; by another one whose payload it is, when the named one sees none of its own."""
    call, fault = _read(module, host, payload)
    if call is None:
        from guards.hook.detect import host_of
        from guards.hook.hosts import find

        other = host_of(payload)
        if other is not None and other != host:
            other_call, other_fault = _read(find(other), other, payload)
            if other_call is not None or other_fault is not None:
                return find(other), other_call, other_fault
    return module, call, fault


def _read(module: Host, host: str, payload: dict[str, Any]) -> tuple[Call | None, Unreadable | None]:
    from guards.hook.caller import Caller

    try:
        return module.read(payload, Caller.of_process(host)), None
    except Unreadable as fault:
        return None, fault


def _no_opinion() -> Decision:
    """No opinion, for an event or a tool that is not ours to judge; some hosts have a word for it."""
    from policy.model import Decision

    return Decision()


def _failed(error: BaseException, call: Call | None, layout: Layout) -> Decision:
    from guards.audit import record
    from guards.hook.failure import decision_for
    from policy.model import Request

    decision = decision_for(error)
    try:  # noqa: SIM105
        record(layout, call.requests[0] if call else Request(), decision, error=error)
    except Exception:  # noqa: BLE001, S110
        pass  # the answer itself is loud; a second failure has nowhere else to go
    return decision


def _rendered(module: Host, decision: Decision, call: Call | None) -> Reply:
    """The host's shape; an ask becomes a deny where nobody can be asked."""
    if decision.action == "ask" and not (module.ASKS and (call is None or call.attended)):
        reason = f"{decision.reason.rstrip('.')}. This needs a person's decision, and this host cannot ask for one"
        decision = decision.replace(action="deny", reason=reason, rewrite=None)
    return module.render(decision, call)


def _last_word(error: BaseException) -> Reply:
    """Not even the host's module could be used: exit 2 with a reason and an empty stdout blocks on every host that runs a command."""
    return Reply(
        "",
        f"gatepost could not judge this command ({type(error).__name__}: {error}); `gatepost doctor` says more. [hook/failure]\n",
        2,
    )


def _end(reply: Reply) -> NoReturn:
    status = reply.status
    try:
        _write(2, reply.stderr)
        _write(1, reply.stdout)
    except OSError:
        status = 2
        try:  # noqa: SIM105
            _write(2, "gatepost could not write its answer. [hook/failure]\n")
        except OSError:
            pass
    posix._exit(status)  # noqa: SLF001


def _write(descriptor: int, text: str) -> None:
    raw = text.encode("utf-8", "backslashreplace")
    while raw:
        raw = raw[posix.write(descriptor, raw) :]
