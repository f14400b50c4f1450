"""The engine's command line: ``python -m rules COMMAND``. Bad input is one line and exit status 2."""

import argparse
import os
import sys
from collections.abc import Iterator
from pathlib import Path
from string import hexdigits
from typing import NoReturn

from rules.design import command as design
from rules.document import Document, check_format, in_one_line, json_line, parse, shown
from rules.drawing import draw
from rules.errors import NotationError, RulesError
from rules.game_file import LARGEST_FILE, GameFile, read_game_file
from rules.language import ENGLISH
from rules.notation import STARSHIP_FORMAT, check_starship, read_starship
from rules.result import differences, result_of
from rules.rulebook import outline
from rules.rulesets import RULESETS
from rules.scenario import read_scenario
from rules.tunnel import command as tunnel
from rules.verification import find_head, verify

HASH_LENGTH = 64

MOST_FAULTS = 20
"""Faults of a game that are told; there are more only in files that were made to have them."""


class OneLineParser(argparse.ArgumentParser):
    """A parser that tells what is wrong with a command in one line."""

    def error(self, message: str) -> NoReturn:
        self.exit(2, in_one_line(f"{self.prog}: {message}") + "\n")


class BadInput(Exception):
    """A file that cannot be taken, and why."""


def main(arguments: list[str] | None = None) -> int:
    """Run a command; return its exit status."""
    parser = OneLineParser(prog="python -m rules", description=__doc__)
    commands = parser.add_subparsers(dest="command", required=True, metavar="COMMAND")
    for name, text in (
        ("resolve", "run scenarios and print what comes of each, one JSON object a line"),
        ("check", "run scenarios and compare with what they expect"),
        ("validate", "check starship documents"),
    ):
        command = commands.add_parser(name, help=text, description=text)
        command.add_argument("files", nargs="+", metavar="FILE", help="a file, or - for standard input")
    command = commands.add_parser("draw", help="draw a starship as SVG")
    command.add_argument("files", nargs=1, metavar="FILE")
    command = commands.add_parser("verify", help="prove games: seed, hands, orders, events and end")
    command.add_argument("--commitment", metavar="HASH", help="what was promised while the game was played")
    command.add_argument(
        "--head", metavar="HASH", type=_head, help="a head that was shown while it was played"
    )
    command.add_argument("files", nargs="+", metavar="FILE", help="a file, or - for standard input")
    tunnel.add_arguments(
        commands.add_parser("tunnel", help="have computers fly a starship, and say whether it plays well")
    )
    design.add_arguments(
        commands.add_parser("design", help="propose a starship by theme, the best of many that computers fly")
    )
    commands.add_parser("rulesets", help="print the rulesets with their parameters and steps")
    chosen = parser.parse_args(arguments)
    if chosen.command == "verify" and len(chosen.files) > 1 and (chosen.commitment or chosen.head):
        parser.error(f"a {'commitment is to' if chosen.commitment else 'head is of'} one game: name one file")
    try:
        if chosen.command == "verify":
            return verify_files(chosen.files, chosen.commitment, chosen.head)
        if chosen.command == "tunnel":
            return fly_file(chosen)
        if chosen.command == "design":
            return design_ship(chosen)
        return COMMANDS[chosen.command](getattr(chosen, "files", []))
    except BadInput as error:
        print(in_one_line(str(error)), file=sys.stderr)
        return 2


def _say(text: str) -> None:
    """Print one answer in one line."""
    print(in_one_line(text))


def _documents(files: list[str]) -> Iterator[tuple[str, Document]]:
    for file in files:
        try:
            yield file, parse(_read(file))
        except OSError as error:
            raise BadInput(f"{file}: {error.strerror or error}") from None
        except NotationError as error:
            raise BadInput(f"{file}: {error}") from None


def _read(file: str) -> bytes:
    if file == "-":
        text = sys.stdin.buffer.read(LARGEST_FILE + 1)
    else:
        with Path(file).open("rb") as opened:
            text = opened.read(LARGEST_FILE + 1)
    if len(text) > LARGEST_FILE:
        raise BadInput(f"{file}: larger than {LARGEST_FILE // 1024**2} MB, which no document is")
    return text


def resolve(files: list[str]) -> int:
    for file, document in _documents(files):
        try:
            print(json_line(result_of(read_scenario(document))))
        except RulesError as error:
            raise BadInput(f"{file}: {error}") from None
    return 0


def check(files: list[str]) -> int:
    failed = 0
    for file, document in _documents(files):
        try:
            scenario = read_scenario(document)
            found = list(differences(scenario, result_of(scenario)))
        except RulesError as error:
            raise BadInput(f"{file}: {error}") from None
        failed += bool(found)
        _say("; ".join([f"{'FAIL' if found else 'ok'}  {file}: {scenario.title}", *found]))
    return 1 if failed else 0


def validate(files: list[str]) -> int:
    wrong = False
    for file, document in _documents(files):
        try:
            check_format(document, STARSHIP_FORMAT)
        except NotationError as error:
            raise BadInput(f"{file}: {error}") from None
        report = check_starship(document)
        for problem in report.problems:
            _say(f"{file}: {problem.severity}: {problem}")
        if report.starship:
            _say(f"{file}: ok, {report.starship.width} × {report.starship.height} cells")
        wrong |= bool(report.errors)
    return 1 if wrong else 0


def draw_file(files: list[str]) -> int:
    for file, document in _documents(files):
        try:
            print(draw(read_starship(document)))
        except NotationError as error:
            raise BadInput(f"{file}: {error}") from None
    return 0


def _head(text: str) -> str:
    """Read a head as it was kept; a shortened one, as pages show it, proves nothing."""
    head = text.strip().lower()
    if len(head) != HASH_LENGTH or not set(head) <= set(hexdigits):
        raise argparse.ArgumentTypeError(
            f"a head has {HASH_LENGTH} hexadecimal figures, and {shown(text)} is none: copy the whole of it"
        )
    return head


def verify_files(files: list[str], promised: str | None, kept: str | None) -> int:
    wrong = False
    for file, document in _documents(files):
        try:
            game = read_game_file(document)
            faults = verify(game, promised, kept)
        except RulesError as error:
            raise BadInput(f"{file}: {error}") from None
        for fault in faults[:MOST_FAULTS]:
            _say(f"FAIL  {file}: {fault}")
        if not faults:
            _say(f"ok  {file}: {_proved(game)}; {_bound(game, kept)}")
        wrong |= bool(faults)
    return 1 if wrong else 0


def _proved(game: GameFile) -> str:
    ruleset = game.setup.ruleset
    turns = ENGLISH.ngettext("{number} turn", "{number} turns", len(game.turns))
    told = sum(len(turn.events) for turn in game.turns)
    events = ENGLISH.ngettext("{number} event", "{number} events", told)
    return (
        f"{ruleset.name}, version {ruleset.version}: {turns}, {events},"
        f" {_ended(game)}; every hand, order and event follows from the seed"
        f" of the commitment {game.commitment}"
    )


def _bound(game: GameFile, kept: str | None) -> str:
    """Say what the heads of a game show, and after which turn the one was that was kept."""
    if game.has_heads:
        said = f"each of its {len(game.turns) + 1} heads follows from the one before"
        if game.heads_from is not None:
            said += f" (shown from turn {game.heads_from} on, as the file says)"
    else:
        said = "it has no heads: it is from before there were any, or they were taken out"
    if kept is None or (head := find_head(game, kept)) is None:
        return said
    if head.turn is None:
        return f"{said}; the head that you kept is the first one: it binds how the game started"
    return f"{said}; the head that you kept is the one after turn {head.turn}: it binds all up to that turn"


def _ended(game: GameFile) -> str:
    """Say how a game ended; what the rules did not end is told as the file tells it."""
    if game.ending is None:
        return f"won by {game.winner or 'nobody'}"
    ended = {
        "voted": "called off by vote of its players",
        "conceded": f"conceded to {game.winner} by vote of the others",
        "staff": "called off by staff",
        "deserted": "called off, since nobody was left who played it",
        "resigned": f"won by {game.winner} by resignation" if game.winner else "lost by resignation",
    }
    return f"and then {ended[game.ending]}, after turn {game.turns[-1].turn}, which no file can prove"


def fly_file(chosen: argparse.Namespace) -> int:
    for file, document in _documents(chosen.files):
        try:
            return tunnel.tunnel(document, chosen)
        except RulesError as error:
            raise BadInput(f"{file}: {error}") from None
    return 0


def design_ship(chosen: argparse.Namespace) -> int:
    try:
        return design.run(chosen)
    except RulesError as error:
        raise BadInput(f"design: {error}") from None


def rulesets(_: list[str]) -> int:
    print("\n\n".join(outline(ruleset) for ruleset in RULESETS.values()))
    return 0


COMMANDS = {"resolve": resolve, "check": check, "validate": validate, "draw": draw_file, "rulesets": rulesets}

READER_GONE = 128 + 13
"""Exit status of a program that writes into a pipe which no one reads any more, as shells tell it."""


def run() -> int:
    """Run the command of this process; it ends quietly where ``head`` or the like has read enough."""
    try:
        try:
            return main()
        finally:
            sys.stdout.flush()
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())  # Python flushes once more at its end
        return READER_GONE


if __name__ == "__main__":
    sys.exit(run())
