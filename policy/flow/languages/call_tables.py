"""Names of calls that start programs, delete and write, by language."""

from __future__ import annotations

SHELL = {
    "node": ("exec", "execSync"),
    "perl": ("system", "exec", "qx", "readpipe"),
    "ruby": (
        "system",
        "exec",
        "spawn",
        "popen",
        "popen2",
        "popen3",
        "capture2",
        "capture2e",
        "capture3",
        "sh",
        "pipeline",
    ),
    "php": ("system", "exec", "shell_exec", "passthru", "popen", "proc_open", "pcntl_exec"),
    "lua": ("execute", "popen"),
    "awk": ("system",),
    "other": ("system", "shell-command", "call-process-shell-command", "async-shell-command", "shell", "system2"),
}
ARGV = {
    "node": ("spawn", "spawnSync", "execFile", "execFileSync", "fork"),
    "other": ("call-process", "start-process", "process-lines"),
}
DELETE = {
    "node": (
        "unlink",
        "unlinkSync",
        "rm",
        "rmSync",
        "rmdir",
        "rmdirSync",
        "remove",
        "removeSync",
        "rimraf",
        "emptyDirSync",
    ),
    "perl": ("unlink", "rmtree", "remove_tree", "rmdir"),
    "ruby": (
        "delete",
        "unlink",
        "rm",
        "rm_f",
        "rm_r",
        "rm_rf",
        "rmtree",
        "remove_dir",
        "remove_entry",
        "remove_entry_secure",
        "rmdir",
    ),
    "php": ("unlink", "rmdir"),
    "lua": ("remove",),
    "other": ("delete-file", "delete-directory", "unlink"),
}
RECURSIVE = frozenset(
    {
        "rm",
        "rmSync",
        "rmdirSync",
        "remove",
        "removeSync",
        "rimraf",
        "rmtree",
        "remove_tree",
        "rm_r",
        "rm_rf",
        "emptyDirSync",
        "remove_dir",
        "remove_entry",
        "delete-directory",
    }
)
WRITE = {
    "node": (
        "writeFile",
        "writeFileSync",
        "createWriteStream",
        "truncateSync",
        "truncate",
        "appendFile",
        "appendFileSync",
        "outputFileSync",
    ),
    "ruby": ("write", "binwrite"),
    "php": ("file_put_contents",),
    "perl": (),
    "lua": (),
    "other": ("write-region",),
}
READ = {
    "node": ("readFile", "readFileSync", "createReadStream"),
    "ruby": ("read", "readlines", "binread", "foreach"),
    "php": ("file_get_contents", "readfile", "file"),
}
MOVE = {
    "node": ("rename", "renameSync", "moveSync"),
    "perl": ("rename",),
    "ruby": ("rename", "mv"),
    "php": ("rename",),
}
CALLBACKS = frozenset({"array_map", "array_walk", "call_user_func"})
OWNERS = {
    ("ruby", "read"): ("File", "IO"),
    ("ruby", "readlines"): ("File", "IO"),
    ("ruby", "foreach"): ("File", "IO"),
    ("ruby", "delete"): ("File", "Dir", "FileUtils"),
    ("ruby", "unlink"): ("File", "FileUtils"),
    ("ruby", "write"): ("File", "IO"),
    ("ruby", "rmdir"): ("Dir", "FileUtils"),
    ("lua", "remove"): ("os",),
    ("node", "exec"): ("", "child_process", "cp", "shell", "sh", "shelljs", "require"),
    ("node", "Command"): ("Deno",),
    ("node", "remove"): ("fs", "fse", "Deno", "fs-extra"),
    ("node", "rename"): ("fs", "fse", "promises", "fsp", "Deno"),
    ("node", "rm"): ("fs", "fse", "promises", "shell", "fsp", "fsPromises", "require", "fs-extra"),
    ("ruby", "rename"): ("File",),
    ("ruby", "mv"): ("FileUtils",),
    ("node", "fork"): ("", "child_process", "cp"),
}
"""Names that mean something else on other objects (regex.exec, table.remove): what must stand before them, "" for nothing."""
