"""Evaluates all rules on all invocations of a request; the strictest finding wins."""

from __future__ import annotations


class Engine:
    """Stands in until the rules are compiled."""
