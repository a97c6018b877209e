"""What programs print into a request's own words: names without a slash, the present branch; never a way to hide a command."""

import pytest


@pytest.mark.parametrize(
    ("text", "asks"),
    [
        ('OUT=/tmp/out-$(date +%s); mkdir -p "$OUT"; rm -rf "$OUT"', False),
        ("rm -rf /tmp/build-$(git rev-parse --short main)", False),
        ('D="/tmp/x-$(whoami)-$(date +%Y-%m-%d)"; cp a "$D"; rm -rf "$D"', False),
        ('rm -rf "/tmp/$(hostname)-$(id -u)-$(uname -s)"', False),
        ("git checkout $(git rev-parse main)", False),
        ("git branch backup-$(date +%s) && git checkout -b wip-$(whoami)", False),
        ("git commit -qam x; rm -rf /tmp/x-$(git rev-parse main)", True),
        ("git push origin HEAD:wip-$(whoami)", False),
        ("git push --force origin HEAD:wip-$(whoami)", True),
        ("rm -rf /$(whoami)", True),
        ("rm -rf ~/$(date +%F)", True),
        ("rm -rf ~/$(whoami)/*", True),
        ("rm -rf /home/$(whoami)", True),
        ("rm -rf /tmp/$(date +../../%s)", True),
        ("rm -rf /tmp/$(date +%D)", True),
        ("rm -rf /tmp/$(date -f names +%F)", True),
        ("rm -rf /tmp/$(id)", True),
        ("$(date +rm) -rf ~", True),
        ("$(hostname) -rf ~", True),
        ("`whoami` -rf ~", True),
        ("h=$(hostname); $h reset --hard", True),
        ('git push --force-with-lease origin "$(git branch --show-current)"', False),
        ("b=$(git rev-parse --abbrev-ref HEAD) && git push -f origin $b", True),
        ("git push -u origin $(git symbolic-ref --short HEAD)", False),
        ("git checkout main && git push --force-with-lease origin $(git branch --show-current)", True),
        ("git rebase main side; git push --force-with-lease origin $(git branch --show-current)", True),
    ],
)  # fmt: skip
def test_answers(decide, text, asks):
    world = {"refs": {"refs/heads/main": "1" * 40}, "modified": ["src/a.py"], "tracked": ["src/a.py"]}
    assert (decide(text, world=world).action in {"ask", "deny"}) is asks, decide(text, world=world).reason
