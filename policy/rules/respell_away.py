"""Texts that run the same commands on another machine or in a container: what is refused here must be at least a question there."""

from __future__ import annotations

from policy.wording import shell_quote as quote

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator


def remote(text: str, *, reads_input: bool = True) -> Iterator[str]:
    """By ssh and its like; `reads_input` False leaves out those that feed the text in."""
    for start in (
        "ssh build1", "ssh -t build1", "ssh -tt -o BatchMode=yes dev@build1", "ssh -oConnectTimeout=5 -p 2222 build1", "ssh -J jump build1 --",
        "ssh -i ~/.ssh/id_x -l dev build1", "autossh -M 0 build1", "mosh build1 -- sh -c",
    ):  # fmt: skip
        yield f"{start} {quote(text)}"
    for shell in ("sh -c", "bash -lc", "sudo bash -c"):
        yield f"ssh build1 {quote(f'{shell} {quote(text)}')}"
    yield f"ssh jump {quote('ssh build1 ' + quote(text))}"
    yield f'h=build1; ssh "$h" {quote(text)}'
    yield f"for h in a b; do ssh -o BatchMode=yes $h {quote(text)}; done"
    yield f"timeout 60 ssh build1 {quote(text)}"
    if reads_input:
        for shell in ("", " bash -s", " sh", " 'bash -s'", " sudo bash"):
            yield f"ssh build1{shell} <<'GATEPOST'\n{text}\nGATEPOST"
        yield f"echo {quote(text)} | ssh build1 bash"
        yield f"ssh build1 bash <<< {quote(text)}"
        yield f"printf '%s\\n' a b | xargs -I @@ ssh @@ {quote(text)}"


def container(text: str, *, reads_input: bool = True) -> Iterator[str]:
    """By the doors into containers and virtual machines, input handed on where the door needs to be told."""
    for start in (
        "docker exec -i web sh -c", "docker exec -i -u root -w /app web bash -lc", "docker run -i --rm -v data:/data img sh -c", "docker run -i --mount src=d,dst=/d img bash -c",
        "docker run -i --rm -v data:/data --entrypoint sh img -c", "docker compose exec web sh -c", "docker compose -f dev.yml exec -T web bash -c",
        "docker compose run --rm web sh -c", "docker-compose exec web sh -c", "docker container exec -i web sh -c", "podman exec -i web bash -c",
        "podman run -i --rm -v data:/data img sh -c", "nerdctl exec -i web sh -c", "kubectl exec -i pod/web -- sh -c", "kubectl -n prod exec -i web -c app -- bash -c",
        "lxc exec web -- sh -c", "incus exec web -- bash -c", "sudo docker exec -i web sh -c", "nsenter -t 1 -m -p sh -c", "chroot /srv/root sh -c",
    ):  # fmt: skip
        yield f"{start} {quote(text)}"
    yield f"ssh build1 {quote('docker exec -i web sh -c ' + quote(text))}"
    if reads_input:
        for start in (
            "docker exec -i web bash",
            "kubectl exec -i web -- sh -s",
            "docker compose exec -T web bash",
            "podman exec -i web sh",
        ):
            yield f"{start} <<'GATEPOST'\n{text}\nGATEPOST"
        yield f"echo {quote(text)} | docker exec -i web sh"
