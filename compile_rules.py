"""Compile the rules to machine code with mypyc: ``make compiled``.

    python compile_rules.py          compile the rules, unless they are already compiled
    python compile_rules.py --done   exit with status 0 if they are already compiled, or else 1

`rules/compiled.py` lists the modules to compile. It uses the result of this script only if the source has not
changed since. Without a C compiler, the script prints a message, and the rules stay interpreted.
"""

import ast
import contextlib
import importlib.util
import os
import shutil
import sys
import sysconfig
import tempfile
from pathlib import Path

from rules.compiled import COMPILED, GROUP, MODULES, SOURCE, TAG, directory


def lacking() -> str | None:
    """Return a sentence about missing tools, or None if all tools to compile are present."""
    if not (shutil.which(os.environ.get("CC", "cc")) or shutil.which("gcc")):
        return "There is no C compiler (cc)"
    if not Path(sysconfig.get_path("include"), "Python.h").exists():
        return "Python's headers are not installed (python3-dev)"
    if not (importlib.util.find_spec("mypyc") and importlib.util.find_spec("setuptools")):
        return "mypyc is not installed (make install)"
    return None


def with_texts(source: str) -> str:
    """Return the source, with each step's docstring as an argument of its ``step`` decorator.

    Compiled functions have no docstrings, but the rulebook shows these texts.
    """
    steps = {
        call.lineno - 1: f", text={ast.get_docstring(node)!r})"
        for node in ast.walk(ast.parse(source))
        if isinstance(node, ast.FunctionDef)
        for call in node.decorator_list
        if isinstance(call, ast.Call) and ast.unparse(call.func) == "step"
    }
    lines = source.splitlines()
    for number, text in steps.items():
        lines[number] = lines[number].removesuffix(")") + text
    return "\n".join(lines) + "\n"


def build(source: Path, target: Path) -> None:
    """Compile the modules in a copy of the rules as one group, so that they call each other directly."""
    from mypyc.build import mypycify
    from setuptools import Distribution
    from setuptools.command.build_ext import build_ext

    os.chdir(source.parent)
    modules = [str(file) for pattern in MODULES for file in sorted(Path().glob(f"rules/{pattern}.py"))]
    options = ["--config-file=", "--strict", "--implicit-reexport", "--cache-dir=cache", *modules]
    with contextlib.redirect_stdout(None):  # hides advice; errors are still printed
        extensions = mypycify(options, group_name=GROUP, target_dir="made", opt_level="2", debug_level="0")
    command = build_ext(Distribution({"ext_modules": extensions}))
    command.build_lib, command.build_temp = str(target), "made"
    command.ensure_finalized()
    command.run()


def main() -> int:
    done = directory().exists()
    if "--done" in sys.argv:
        return 0 if done else 1
    if done:
        print("The rules are compiled already.")
        return 0
    if missing := lacking():
        print(f"{missing}: the rules stay interpreted.")
        return 0
    COMPILED.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=COMPILED) as temporary:
        copy, finished = Path(temporary, "rules"), Path(temporary, "finished")
        shutil.copytree(SOURCE, copy, ignore=shutil.ignore_patterns("__pycache__"))
        target = directory(copy)
        for file in copy.glob("steps/*.py"):
            file.write_text(with_texts(file.read_text()))
        build(copy, finished)
        for outdated in COMPILED.glob(f"{TAG}-*"):
            shutil.rmtree(outdated)
        # Rename it last, so that the directory is always complete.
        finished.rename(target)
    print("The rules are compiled.")
    return 0


if __name__ == "__main__":
    sys.exit(main())
