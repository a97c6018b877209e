"""What programs do to paths: kind, absolute path, /** where all below it is meant, and whether it is a pattern."""

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))
import flowlines

from policy.flow import read
from policy.model import Request

GRAMMARS = flowlines.load()
TABLE = [
    ("rm a", ["delete /home/dev/app/a"]),
    ("rm -r a /b", ["delete /home/dev/app/a/**", "delete /b/**"]),
    ("rm -rf a/*", ["delete /home/dev/app/a/*/** glob"]),
    ("rmdir a", ["delete /home/dev/app/a"]),
    ("unlink a", ["delete /home/dev/app/a"]),
    ("shred -u a", ["delete /home/dev/app/a"]),
    ("shred a", ["write /home/dev/app/a"]),
    ("trash a", ["delete /home/dev/app/a/**"]),
    ("cp a b", ["read /home/dev/app/a", "write /home/dev/app/b"]),
    ("cp -r a b c", ["read /home/dev/app/a/**", "read /home/dev/app/b/**", "write /home/dev/app/c/**"]),
    ("cp -t /x a b", ["write /x", "read /home/dev/app/a", "read /home/dev/app/b"]),
    ("cp a", ["write /home/dev/app/a"]),
    ("mv a b", ["move-from /home/dev/app/a/**", "move-to /home/dev/app/b/**"]),
    ("mv a b c", ["move-from /home/dev/app/a/**", "move-from /home/dev/app/b/**", "move-to /home/dev/app/c/**"]),
    ("mv -t /x a b", ["write /x/**", "move-from /home/dev/app/a/**", "move-from /home/dev/app/b/**"]),
    ("ln -s a /usr/bin/b", ["read /home/dev/app/a", "link /usr/bin/b"]),
    ("ln -s a", ["read /home/dev/app/a"]),
    ("install -m 755 a /usr/bin/b", ["read /home/dev/app/a", "write /usr/bin/b"]),
    ("install -d a b", ["create /home/dev/app/a", "create /home/dev/app/b"]),
    ("chmod -R 777 a", ["mode /home/dev/app/a/**"]),
    ("chmod -x a", ["mode /home/dev/app/a"]),
    ("chmod --reference=a b", ["read /home/dev/app/a", "mode /home/dev/app/b"]),
    ("chown -R u:g a b", ["mode /home/dev/app/a/**", "mode /home/dev/app/b/**"]),
    ("truncate -s 0 a", ["write /home/dev/app/a"]),
    ("tee a b", ["write /home/dev/app/a", "write /home/dev/app/b"]),
    ("tee -a a", ["append /home/dev/app/a"]),
    ("dd if=a of=/dev/sda", ["read /home/dev/app/a", "write /dev/sda"]),
    ("touch a", ["append /home/dev/app/a"]),
    ("mkdir -p a/b", ["create /home/dev/app/a/b"]),
    ("sed s/a/b/ f", ["read /home/dev/app/f"]),
    ("sed -i s/a/b/ f g", ["write /home/dev/app/f", "write /home/dev/app/g"]),
    ("sed -i.bak -e s/a/b/ f", ["write /home/dev/app/f"]),
    ("sed -n -f s f", ["read /home/dev/app/f"]),
    ("sort -o a b", ["write /home/dev/app/a", "read /home/dev/app/b"]),
    ("cat a - b", ["read /home/dev/app/a", "read /home/dev/app/b"]),
    ("grep -r x a", ["read /home/dev/app/a"]),
    ("grep -e x -f p a", ["read /home/dev/app/p", "read /home/dev/app/a"]),
    ("tar -C /x -xf a.tar", ["read /home/dev/app/a.tar", "create /x"]),
    ("tar xf a.tar", ["read /home/dev/app/a.tar", "create /home/dev/app"]),
    ("tar cf a.tar b c", ["write /home/dev/app/a.tar/**", "read /home/dev/app/b/**", "read /home/dev/app/c/**"]),
    ("tar cf a.tar --remove-files b", ["write /home/dev/app/a.tar/**", "delete /home/dev/app/b/**"]),
    ("tar -tf a.tar", ["read /home/dev/app/a.tar"]),
    ("zip a.zip b", ["write /home/dev/app/a.zip", "read /home/dev/app/b"]),
    ("zip -m a.zip b", ["write /home/dev/app/a.zip", "delete /home/dev/app/b"]),
    ("gzip a", ["delete /home/dev/app/a"]),
    ("gzip -k a", ["read /home/dev/app/a"]),
    ("curl -o f u", ["write /home/dev/app/f"]),
    ("curl -O u", []),
    ("wget -O f u", ["write /home/dev/app/f"]),
    ("find /x -delete", ["delete /x/**"]),
    ("find a b -mindepth 1 -delete", ["delete /home/dev/app/a/** within", "delete /home/dev/app/b/** within"]),
    ("find . -name '*.pyc' -delete", ["delete /home/dev/app/**/*.pyc/** glob"]),
    ("find . -fprint f", ["write /home/dev/app/f/**"]),
    ("rsync -a a/ b/", ["read /home/dev/app/a/**", "write /home/dev/app/b/**"]),
    ("rsync -a --delete a/ b", ["read /home/dev/app/a/**", "write /home/dev/app/b/**", "delete /home/dev/app/b/**"]),
    ("rsync -a --delete a/ h:b", ["read /home/dev/app/a/**"]),
    ("rsync -an --delete a/ b", ["read /home/dev/app/a/**", "read /home/dev/app/b/**"]),
    ("rsync --remove-source-files a b", ["read /home/dev/app/a", "write /home/dev/app/b", "delete /home/dev/app/a"]),
    ("scp a h:b", ["read /home/dev/app/a"]),
    ("scp h:b /x", ["write /x"]),
    ("git rm a", ["delete /home/dev/app/a"]),
    ("git rm -r a", ["delete /home/dev/app/a/**"]),
    ("git rm --cached a", []),
    ("git mv a b", ["move-from /home/dev/app/a", "move-to /home/dev/app/b"]),
    ("git archive -o f HEAD", ["write /home/dev/app/f"]),
    ("patch -p1 -i a.patch", ["read /home/dev/app/a.patch"]),
    ("patch f p", ["write /home/dev/app/f", "read /home/dev/app/p"]),
    ("split a b", ["read /home/dev/app/a"]),
    ("vim f", ["write /home/dev/app/f"]),
    ("nano f", ["write /home/dev/app/f"]),
    ("crontab f", ["read /home/dev/app/f"]),
    ("psql -f s.sql", []),
    ("sqlite3 db 'select 1'", ["write /home/dev/app/db"]),
    ("openssl req -out k", ["write /home/dev/app/k"]),
    ("gpg -o f -d g", ["write /home/dev/app/f"]),
    ("echo a > f", ["write /home/dev/app/f"]),
    ("echo a >> f", ["append /home/dev/app/f"]),
    ("cmd 2> e < i", ["write /home/dev/app/e", "read /home/dev/app/i"]),
    ("cmd &> f", ["write /home/dev/app/f"]),
    ("cmd > /dev/null 2>&1", ["write /dev/null"]),
    ("> f", ["write /home/dev/app/f"]),
    (
        "rm ~/a ../b ./c//d /e/../f",
        ["delete /home/dev/a", "delete /home/dev/b", "delete /home/dev/app/c/d", "delete /f"],
    ),
    ('rm "$x" a', ["delete None", "delete /home/dev/app/a"]),
    ("rm *.py", ["delete /home/dev/app/*.py glob"]),
    ("mkfs.ext4 /dev/sda1", ["write /dev/sda1"]),
    ("ed f", ["write /home/dev/app/f"]),
    ("jq . f", ["read /home/dev/app/f"]),
    ("yq -i . f", ["write /home/dev/app/f"]),
    ("pip install -r r.txt -t d", ["read /home/dev/app/r.txt"]),
    ("docker cp a b", []),
    ("ssh-keygen -f k", ["write /home/dev/app/k"]),
]


@pytest.mark.parametrize(("text", "expected"), TABLE)
def test_effects(text, expected):
    request = Request(text=text, cwd=flowlines.CWD, home="/home/dev", dialect="bash")
    found = [
        f"{effect.kind} {effect.path}{'/**' if effect.recursive else ''}{' glob' if effect.glob else ''}{' within' if effect.within else ''}"
        for made in read(request, flowlines.Files(), GRAMMARS).invocations
        for effect in made.effects + made.redirects
    ]
    assert found == expected
