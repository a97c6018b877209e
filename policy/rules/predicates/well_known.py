"""Places that mean something on every machine. `~` stands for the home of the request; `*` also crosses slashes."""

# ruff: noqa: S108  -- these are names of temporary folders, nothing is created there
from __future__ import annotations

HOMES = ("/home", "/Users")
ROOT_HOMES = ("/root", "/var/root")
SYSTEM = frozenset(
    [
        "/bin", "/boot", "/dev", "/etc", "/lib", "/lib32", "/lib64", "/libx32", "/opt", "/proc", "/run", "/sbin", "/sys", "/usr", "/var",
        "/Applications", "/Library", "/System", "/private", "/nix",
    ]
)  # fmt: skip
TOPS = frozenset(["/home", "/mnt", "/media", "/srv", "/root", "/Users", "/Volumes"])
"""Top folders that are as good as the system to whoever deletes them whole."""
NOT_SYSTEM = ("/var/tmp", "/private/tmp", "/var/folders", "/private/var/folders", "/dev/shm", "/run/user", "/var/www")
TEMPORARY = ("/tmp", "/var/tmp", "/dev/shm", "/private/tmp", "/var/folders", "/private/var/folders")
TEMPORARY_NAMES = frozenset({"tmp", "temp", "folders", "scratch", "tempfiles"})
CACHE = frozenset(
    [
        "node_modules",
        "bower_components",
        "build",
        "dist",
        "out",
        "target",
        "__pycache__",
        ".pytest_cache",
        ".mypy_cache",
        ".ruff_cache",
        ".hypothesis",
        ".tox",
        ".nox",
        ".venv",
        "venv",
        "htmlcov",
        "coverage",
        ".nyc_output",
        ".coverage",
        ".cache",
        ".parcel-cache",
        ".next",
        ".nuxt",
        ".svelte-kit",
        ".turbo",
        ".vite",
        ".angular",
        ".gradle",
        ".eggs",
        ".ipynb_checkpoints",
        "_build",
        "DerivedData",
        ".terraform",
        ".dart_tool",
        ".pytype",
        ".pyre",
        ".sass-cache",
        "cmake-build-debug",
        "cmake-build-release",
        "zig-out",
        "zig-cache",
        ".zig-cache",
        ".stack-work",
        "dist-newstyle",
        "_site",
        ".docusaurus",
        "storybook-static",
        "test-results",
        "playwright-report",
    ]
)
"""Names of folders that tools make anew."""
CACHE_PLACES = tuple(
    place
    for folder in (
        "~/.npm/_cacache", "~/.npm/_npx", "~/.npm/_logs", "~/.cargo/registry", "~/.cargo/git", "~/.gradle/caches", "~/.m2/repository", "~/go/pkg/mod",
        "~/.pnpm-store", "~/.local/share/pnpm/store", "~/.yarn/cache", "~/.yarn/berry/cache", "~/.bun/install/cache", "~/.nuget/packages",
        "~/Library/Caches/*", "~/Library/Developer/Xcode/DerivedData", "~/.local/share/virtualenvs/*", "~/.ivy2/cache", "~/.sbt/boot",
        "~/.composer/cache", "~/.cpanm/work", "~/.ccache", "~/.sccache", "~/.electron", "~/.node-gyp", "~/.rustup/downloads", "~/.rustup/tmp",
    )
    for place in (folder, folder + "/*")
)  # fmt: skip
"""What package managers and compilers fetch or build anew, below a home."""
CACHE_GLOBS = ("*.egg-info", "*.pyc", "*.pyo", "cmake-build-*", "*.o", "*.tsbuildinfo")
DEVICE_SAFE = (
    "/dev/null", "/dev/zero", "/dev/full", "/dev/random", "/dev/urandom", "/dev/tty", "/dev/stdin", "/dev/stdout", "/dev/stderr", "/dev/fd", "/dev/fd/*", "/proc/self/fd/*", "/dev/tcp", "/dev/udp",
    "/dev/pts/*", "/dev/ptmx", "/dev/shm", "/dev/shm/*", "/dev/tcp/*", "/dev/udp/*",
)  # fmt: skip
CREDENTIAL = (
    "~/.ssh", "~/.ssh/*", "~/.gnupg", "~/.gnupg/*", "~/.netrc", "~/.aws", "~/.aws/*", "~/.config/gcloud", "~/.config/gcloud/*", "~/.azure", "~/.azure/*",
    "~/.kube", "~/.kube/config", "~/.docker/config.json", "~/.npmrc", "~/.pypirc", "~/.git-credentials", "~/.config/gh/hosts.yml", "~/.pgpass",
    "~/.my.cnf", "~/.vault-token", "~/.password-store", "~/.password-store/*", "~/.terraform.d/credentials.tfrc.json", "~/.cargo/credentials*",
    "~/.gem/credentials", "~/.config/op/*", "~/.local/share/keyrings", "~/.local/share/keyrings/*", "~/.claude/.credentials.json",
    "~/.codex/auth.json", "/etc/shadow", "/etc/gshadow", "/etc/kubernetes/admin.conf", "/etc/kubernetes/pki/*.key", "/etc/rancher/k3s/k3s.yaml", "/etc/sudoers", "/etc/sudoers.d/*", "/etc/ssh/ssh_host_*_key", "/root/.ssh", "/root/.ssh/*",
    "~/.config/google-chrome/*/Cookies", "~/.config/google-chrome/*/Login Data", "~/.config/chromium/*/Cookies", "~/.config/chromium/*/Login Data",
    "~/.mozilla/firefox/*/logins.json", "~/.mozilla/firefox/*/key4.db", "~/.mozilla/firefox/*/cookies.sqlite",
    "/home/*/.ssh/*", "*/id_rsa", "*/id_ed25519", "*/id_ecdsa", "*/id_dsa", "*.pem", "*.p12", "*.pfx", "*.kdbx", "*/.netrc", "*/.git-credentials",
)  # fmt: skip
NO_CREDENTIAL = (
    "*/.gnupg/*.conf",
    "*.pub",
    "*/.ssh/known_hosts",
    "*/.ssh/config",
    "*/.gnupg/pubring*",
    "*/.aws/config",
    "*/cacert.pem",
    "*/certifi/*",
    "/etc/ssl/certs/*",
)
SECRET = (
    "*/.env", "*/.env.*", "*/.envrc", "*/secrets.yml", "*/secrets.yaml", "*/secrets.json", "*/secrets.toml", "*/credentials.json", "*/service-account*.json",
    "*/master.key", "*/.htpasswd", "*.env", "*/terraform.tfvars", "*.tfstate",
)  # fmt: skip
NO_SECRET = (
    "*.example",
    "*.sample",
    "*.template",
    "*.dist",
    "*.defaults",
    "*.env.schema",
    "*/example.env",
    "*/sample.env",
    "*/.env.test",
    "*/.env.ci",
)
SHELL_STARTUP = (
    "~/.bashrc", "~/.bash_profile", "~/.bash_login", "~/.profile", "~/.bash_logout", "~/.bash_aliases", "~/.zshrc", "~/.zshenv", "~/.zprofile", "~/.zlogin",
    "~/.config/fish/config.fish", "~/.config/fish/conf.d/*", "~/.kshrc", "/etc/profile", "/etc/profile.d/*", "/etc/bash.bashrc", "/etc/zsh/*",
    "~/.inputrc", "~/.ssh/rc", "~/.pam_environment", "~/.config/environment.d/*",
)  # fmt: skip
AGENT_SETTINGS = (
    "*/.claude/settings.json", "*/.claude/settings.local.json", "~/.claude.json", "*/.claude/hooks/*", "*/.claude/hooks", "~/.claude", "*/.claude",
    "*/.codex/config.toml", "*/.codex/hooks.json", "*/.codex", "*/.codex/hooks/*", "*/.kimi-code/config.toml", "*/.kimi-code",
    "*/.config/opencode", "*/.config/opencode/*", "*/.opencode", "*/.opencode/plugin*/*", "*/.opencode/opencode.json*", "*/.gemini/settings.json", "*/.gemini",
    "*/.cursor/hooks.json", "*/.cursor", "*/.cursor/hooks/*", "*/.copilot/*", "*/.github/hooks/*", "*/.qwen/settings.json", "*/.factory/settings.json",
    "*/.config/amp/settings.json", "/etc/claude-code/*", "/etc/codex/*", "*/managed-settings.json",
)  # fmt: skip
GUARD = (
    "~/.config/gatepost", "~/.config/gatepost/*", "~/.local/share/gatepost", "~/.local/share/gatepost/*", "~/.local/state/gatepost",
    "~/.local/state/gatepost/*", "/etc/gatepost", "/etc/gatepost/*", "/run/user/*/gatepost", "/run/user/*/gatepost/*", "~/.local/bin/gatepost*",
    "~/.local/bin/with-limits", "*/gatepost/shims/*", "*/guards/shims/*", "*/.gatepost.toml",
)  # fmt: skip
