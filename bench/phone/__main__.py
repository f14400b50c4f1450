"""Measure the pages of a site on a simulated phone, and report heavy or slow pages.

    python -m bench.phone
    python -m bench.phone game starships     # pages with one of these words in the name
    python -m bench.phone --why --sent       # also failed audits, and transferred files
    python -m bench.phone --plain            # without Caddy, as `make run` serves the site

It starts its own site with four players, behind Caddy as in a deployment (HTTP/2 over TLS, with compressed
headers and one connection). Lighthouse opens each page and simulates slow 4G and a processor that is four
times slower. The table shows the four scores, the time of the largest paint in seconds, the transferred kB
(1,000 bytes), the number of requests, and the layout shift.

The exit status is 1 if a page misses a target. Other programs that use the processor delay the paint, so
repeat the measurement for a page that missed its target. The command needs Caddy and Chromium. The variable
CHROMIUM can name another program. The first run installs Lighthouse beside this command.
"""

import argparse
import json
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, Final

from bench.console import NAMES
from bench.phone import site
from embedded.paths import Failure

HERE: Final = Path(__file__).parent
TOOLS: Final = Path(sys.executable).parent
"""The directory with Node and npm, which .venv contains."""

PAINT, KILOBYTES, SHIFT, SCORE = 1.5, 130.0, 0.02, 100


def missed(seen: dict[str, Any]) -> list[str]:
    """Return the targets that a page misses, as words.

    If the page failed to load, the list has the error or the status instead.
    """
    if seen["wrong"] or seen["status"] != 200:
        return [seen["wrong"] or f"status {seen['status']}"]
    names = ("performance", "accessibility", "best practices", "search engines")
    least = [name for name, score in zip(names, seen["scores"], strict=True) if score < SCORE]
    most = {
        "paint": seen["paint"] / 1000 > PAINT,
        "kB": seen["bytes"] / 1000 > KILOBYTES,
        "shift": seen["shift"] > SHIFT,
    }
    return [*least, *(name for name, much in most.items() if much)]


def row(seen: dict[str, Any]) -> str:
    if seen["wrong"] or seen["status"] != 200:
        return f"{seen['name']:26} {', '.join(missed(seen))}"
    scores = " ".join(f"{score:3}" for score in seen["scores"])
    return (
        f"{seen['name']:26} {scores} {seen['paint'] / 1000:6.2f} {seen['bytes'] / 1000:6.1f}"
        f" {seen['requests']:4} {seen['shift']:6.3f}  {', '.join(missed(seen))}".rstrip()
    )


def looked_at(address: str, pages: Iterable[site.Page]) -> Iterator[dict[str, Any]]:
    """Open pages in Lighthouse, and yield its results for each page."""
    if not (HERE / "node_modules" / "lighthouse").exists():
        subprocess.run([TOOLS / "npm", "ci", "--silent"], cwd=HERE, env=_with_tools(), check=True)
    asked = [{"name": page.name, "url": address + page.path, "cookie": page.cookie} for page in pages]
    command = [str(TOOLS / "node"), "audit.js"]
    with subprocess.Popen(
        command, cwd=HERE, env=_with_tools(), stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as process:
        assert process.stdin
        assert process.stdout
        json.dump(asked, process.stdin)
        process.stdin.close()
        yield from map(json.loads, process.stdout)
    if process.returncode:
        raise Failure("Lighthouse failed.")


def _with_tools() -> dict[str, str]:
    chromium = os.environ.get("CHROMIUM") or next(filter(None, map(shutil.which, NAMES)), None)
    if not chromium:
        raise Failure("There is no Chromium here: install it, or name it in CHROMIUM.")
    return {**os.environ, "PATH": f"{TOOLS}{os.pathsep}{os.environ['PATH']}", "CHROMIUM": chromium}


def main() -> int:
    """Measure the pages and print a table. Return the exit status."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("words", nargs="*", help="of names of pages (all)")
    parser.add_argument("--why", action="store_true", help="tell which audits cost points")
    parser.add_argument("--sent", action="store_true", help="tell what was sent, the heaviest first")
    parser.add_argument("--plain", action="store_true", help="without Caddy, as `make run` serves it")
    asked = parser.parse_args()
    failed = 0
    try:
        with (
            tempfile.TemporaryDirectory(prefix="phone-") as name,
            site.site(Path(name), caddy=not asked.plain) as address,
        ):
            site.connect(Path(name), address)
            pages = [
                page
                for page in site.make_pages()
                if not asked.words or any(word in page.name for word in asked.words)
            ]
            print(f"{'':26} perf a11y best seo  paint     kB reqs  shift  missed", flush=True)
            for seen in looked_at(address, pages):
                failed += bool(missed(seen))
                print(row(seen), flush=True)
                for line in seen["lost"] if asked.why else ():
                    print(f"    {line}")
                for path, size in sorted(seen["sent"], key=lambda each: -each[1]) if asked.sent else ():
                    print(f"    {size:7} {path}")
    except Failure as problem:
        print(problem, file=sys.stderr)
        return 2
    print(f"{len(pages) - failed} of {len(pages)} pages hold")
    return int(failed > 0)


if __name__ == "__main__":
    sys.exit(main())
