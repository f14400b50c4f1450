"""The engine's commands: ``python -m rules COMMAND``. Exits with 2 for bad input."""

import argparse
import json
import os
import re
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from string import hexdigits
from typing import Final, NoReturn

from rules.design.canvas import SYMMETRY_KINDS
from rules.design.genome import Brief
from rules.design.proposal import MAX_SIDE, MIN_SIDE, USUAL_PLAYERS, NoDesign, brief_of
from rules.design.search import CANDIDATES, design, starship_of
from rules.design.themes import THEMES
from rules.document import (
    Document,
    NotationError,
    RulesError,
    check_format,
    in_one_line,
    json_line,
    parse,
    quoted,
)
from rules.drawing import draw
from rules.game_file import MAX_FILE_SIZE, GameFile, read_game_file
from rules.language import ENGLISH
from rules.notation import STARSHIP_FORMAT, check_starship, read_starship, write_starship
from rules.rulebook import outline
from rules.rulesets import RULESETS, ruleset
from rules.scenario import differences, read_scenario, result_of
from rules.setup import Ruleset
from rules.starship import Starship
from rules.suitability import make_setup, middle, player_numbers, reasons_against, suits
from rules.tunnel.findings import RED
from rules.tunnel.flying import FLIGHTS, MAX_FLIGHTS
from rules.tunnel.report import report_of, text_of
from rules.tunnel.run import Flyer, LostFlights, Run, fly_until_sure
from rules.verification import find_head, verify

# --- tunnel -------------------------------------------------------------------------------------------------


MOST_PROBLEMS: Final = 10
"""The maximum number of a document's problems that one message lists."""
MOST_PROCESSES: Final = 64

INTERRUPTED: Final = 128 + 2
"""The exit status of a command that was interrupted from the keyboard. Shells use the same number."""

ONE_START_CELL: Final = "the starship has a start cell for one robot, and a flight needs two"


def add_tunnel_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("files", nargs=1, metavar="FILE", help="a starship, or - for standard input")
    parser.add_argument("--ruleset", metavar="KEY", help="one ruleset (each that suits, if not given)")
    parser.add_argument(
        "--players", type=int, metavar="N", help="the middle one of those that suit, if not given"
    )
    parser.add_argument(
        "--flights", type=up_to(MAX_FLIGHTS), default=FLIGHTS, metavar="N", help="at most, 200 if not given"
    )
    parser.add_argument("--seed", default="1", metavar="S", help="any text, 1 if not given")
    parser.add_argument("--json", action="store_true", help="print tunnel/1 documents, one a line")
    parser.add_argument(
        "--processes",
        type=up_to(MOST_PROCESSES),
        default=2,
        metavar="N",
        help="flights at a time, 2 if not given",
    )


def up_to(most: int) -> Callable[[str], int]:
    """Return a function that parses an argument as a whole number from 1 to ``most``."""

    def whole(text: str) -> int:
        try:
            if 1 <= (number := int(text)) <= most:
                return number
        except ValueError:
            pass
        raise argparse.ArgumentTypeError(f"must be a whole number from 1 to {most}")

    return whole


def print_reports(document: Document, chosen: argparse.Namespace) -> int:
    """Fly a starship with the chosen options, and print a report for each ruleset.

    Returns the exit status: 1 if a verdict is red, 2 if flights were lost, or 130 if interrupted. Raises
    RulesError if the document, the ruleset or the number of players cannot be used.
    """
    status = 0
    for index, run in enumerate(list(runs(document, chosen))):
        shows = sys.stderr.isatty()
        try:
            with Flyer(run, chosen.processes, _flight_progress(run) if shows else None) as flyer:
                verdict = fly_until_sure(run, flyer)
        except LostFlights as error:
            _tell(in_one_line(f"{run.setup.ruleset.name}: {error}") + "\n")
            return 2
        except KeyboardInterrupt:
            _tell("stopped\n")
            return INTERRUPTED
        if shows:
            _tell("\r\x1b[K")
        if chosen.json:
            lines = [json_line(report_of(run, verdict))]
        else:
            lines = [*[""] * bool(index), *map(in_one_line, text_of(run, verdict))]
        sys.stdout.write("\n".join([*lines, ""]))
        sys.stdout.flush()
        status |= verdict.colour == RED
    return status


def _tell(text: str) -> None:
    sys.stderr.write(text)
    sys.stderr.flush()


def _flight_progress(run: Run) -> Callable[[int], None]:
    name = run.setup.ruleset.name

    def show(flown: int) -> None:
        _tell(f"\r{name}: {flown} of {run.flights} flights")

    return show


def runs(document: Document, chosen: argparse.Namespace) -> Iterator[Run]:
    """Yield a wind tunnel run for the chosen ruleset.

    If no ruleset is chosen, yield a run for each ruleset that suits the ship.
    """
    ship = _starship(document)
    for played in _rulesets(ship, chosen.ruleset):
        players = chosen.players
        if players is None:
            numbers = player_numbers(played, ship)
            if not numbers:
                raise RulesError(ONE_START_CELL)
            players = middle(numbers)
        elif players < 2:
            raise RulesError("a flight needs at least 2 players")
        yield Run(make_setup(played, {}, ship, players), players, chosen.flights, chosen.seed)


def _starship(document: Document) -> Starship:
    report = check_starship(document)
    if report.starship:
        return report.starship
    told = [str(problem) for problem in report.problems[:MOST_PROBLEMS]]
    if more := len(report.problems) - MOST_PROBLEMS:
        told += [f"and {more} more"] if more > 0 else []
    raise NotationError("; ".join(told))


def _rulesets(ship: Starship, key: str | None) -> list[Ruleset]:
    if key is not None:
        chosen = ruleset(key)
        if problems := reasons_against(chosen, ship):
            raise RulesError(*problems[:MOST_PROBLEMS])
        return [chosen]
    suiting = [known for known in RULESETS.values() if suits(known, ship)]
    if flown := [known for known in suiting if player_numbers(known, ship)]:
        return flown
    if suiting:
        raise RulesError(ONE_START_CELL)
    reasons = {known.key: str(reasons_against(known, ship)[0]) for known in RULESETS.values()}
    told = "; ".join(f"{key}: {reason}" for key, reason in reasons.items())
    raise RulesError(f"the starship suits no ruleset ({told})")


# --- design -------------------------------------------------------------------------------------------------


MOST_CANDIDATES: Final = 1000


def add_design_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--ruleset", default="robo-runner", metavar="KEY", help="robo-runner if not given")
    parser.add_argument(
        "--size", type=_size, default=(12, 12), metavar="WxH", help="cells, 12x12 if not given"
    )
    parser.add_argument(
        "--players", type=int, metavar="N", help=f"{USUAL_PLAYERS} if not given and there is room"
    )
    parser.add_argument("--theme", choices=list(THEMES), help="by chance if not given")
    parser.add_argument("--symmetry", choices=SYMMETRY_KINDS, help="one that suits the theme if not given")
    parser.add_argument("--seed", default="1", metavar="S", help="any text, 1 if not given")
    parser.add_argument(
        "--candidates",
        type=up_to(MOST_CANDIDATES),
        default=CANDIDATES,
        metavar="N",
        help=f"ships that are flown, {CANDIDATES} if not given",
    )
    parser.add_argument(
        "--flights",
        type=up_to(MAX_FLIGHTS),
        default=FLIGHTS,
        metavar="N",
        help="of the best ship at most, 200 if not given",
    )
    parser.add_argument(
        "--processes", type=up_to(MOST_PROCESSES), default=2, metavar="N", help="2 if not given"
    )
    parser.add_argument("--draw", action="store_true", help="print the ship as SVG")


def _size(text: str) -> tuple[int, int]:
    match = re.fullmatch(r"([0-9]{1,3})(?:[x×]([0-9]{1,3}))?", text, re.ASCII)
    sides = [int(side) for side in match.groups(match[1])] if match else [0]
    if not all(MIN_SIDE <= side <= MAX_SIDE for side in sides):
        raise argparse.ArgumentTypeError(
            f"must be like 12 or 16x12, with {MIN_SIDE} to {MAX_SIDE} cells along each side"
        )
    return sides[0], sides[-1]


def _ordered(chosen: argparse.Namespace) -> Brief:
    """Return the brief for a design, made from the command's options.

    Raises RulesError if the ruleset or the size of the ship does not allow the number of players.
    """
    return brief_of(ruleset(chosen.ruleset), chosen.size, chosen.players, chosen.theme, chosen.symmetry)


def print_design(chosen: argparse.Namespace) -> int:
    """Design a starship and print it. The report of the wind tunnel goes to standard error.

    Returns the exit status: 1 if the verdict is red, or 130 if interrupted. Raises RulesError if no such
    starship can be designed.
    """
    brief = _ordered(chosen)
    try:
        found = design(
            brief, chosen.seed, chosen.candidates, chosen.processes, chosen.flights, _design_progress()
        )
    except (LostFlights, NoDesign) as error:
        raise RulesError(str(error)) from None
    except KeyboardInterrupt:
        _tell("stopped\n")
        return INTERRUPTED
    ship = starship_of(found, chosen.seed)
    if sys.stderr.isatty():
        _tell("\r\x1b[K")
    lines = [f"{ship.name}: {found.flown} flights", *text_of(found.run, found.verdict)]
    _tell("\n".join([*map(in_one_line, lines), ""]))
    sys.stdout.write(
        draw(ship) if chosen.draw else json.dumps(write_starship(ship), ensure_ascii=False, indent=2)
    )
    sys.stdout.write("\n")
    return int(found.verdict.colour == RED)


def _design_progress() -> Callable[[str], None] | None:
    if not sys.stderr.isatty():
        return None
    return lambda told: _tell(f"\r\x1b[K{told}")


# --- All commands -------------------------------------------------------------------------------------------


HASH_LENGTH = 64

MOST_FAULTS = 20
"""The maximum number of faults to print for a game. Only manipulated files have more."""


class OneLineParser(argparse.ArgumentParser):
    """An argument parser that writes each error message in one line."""

    def error(self, message: str) -> NoReturn:
        self.exit(2, in_one_line(f"{self.prog}: {message}") + "\n")


class BadInput(Exception):
    """Raised if a file, or an option of a command, cannot be used."""


def main(arguments: list[str] | None = None) -> int:
    parser = OneLineParser(prog="python -m rules", description=__doc__)
    commands = parser.add_subparsers(dest="command", required=True, metavar="COMMAND")
    for name, text in (
        ("resolve", "run scenarios and print one JSON object for each, one per line"),
        ("check", "run scenarios and compare the results with what they expect"),
        ("validate", "check starship documents, and print errors and warnings"),
    ):
        command = commands.add_parser(name, help=text, description=text)
        command.add_argument("files", nargs="+", metavar="FILE", help="a file, or - for standard input")
    command = commands.add_parser("draw", help="print a starship as SVG")
    command.add_argument("files", nargs=1, metavar="FILE")
    command = commands.add_parser("verify", help="prove games: seed, hands, orders, events and end")
    command.add_argument("--commitment", metavar="HASH", help="the commitment, as shown during the game")
    command.add_argument("--head", metavar="HASH", type=_head, help="a head that you kept during the game")
    command.add_argument("files", nargs="+", metavar="FILE", help="a file, or - for standard input")
    add_tunnel_arguments(
        commands.add_parser("tunnel", help="let computers fly a starship, and print how well it plays")
    )
    add_design_arguments(
        commands.add_parser(
            "design", help="suggest a starship, the best of several that computers have flown"
        )
    )
    commands.add_parser("rulesets", help="print the rulesets with their parameters and steps")
    chosen = parser.parse_args(arguments)
    if chosen.command == "verify" and len(chosen.files) > 1 and (chosen.commitment or chosen.head):
        parser.error(f"--{'commitment' if chosen.commitment else 'head'} is for one game: name one file")
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
        text = sys.stdin.buffer.read(MAX_FILE_SIZE + 1)
    else:
        with Path(file).open("rb") as opened:
            text = opened.read(MAX_FILE_SIZE + 1)
    if len(text) > MAX_FILE_SIZE:
        raise BadInput(f"{file}: larger than {MAX_FILE_SIZE // 1024**2} MB, which is the limit")
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
    """Read a head (a hash of the course of a game) from an option.

    Refuses a shortened head, as pages show it, because it proves nothing.
    """
    head = text.strip().lower()
    if len(head) != HASH_LENGTH or not set(head) <= set(hexdigits):
        raise argparse.ArgumentTypeError(
            f"a head has {HASH_LENGTH} hexadecimal digits, and {quoted(text)} does not: copy all of it"
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
    """Describe the heads of a game: a hash of its start, and for each turn, a hash of the game so far.

    If a player noted down a head during the game, also name the turn after which it was the game's head.
    """
    if game.has_heads:
        said = f"each of its {len(game.turns) + 1} heads follows from the one before"
        if game.heads_from is not None:
            said += f" (shown from turn {game.heads_from} on, as the file says)"
    else:
        said = "it has no heads: it ended before heads existed, or someone removed them"
    if kept is None or (head := find_head(game, kept)) is None:
        return said
    if head.turn is None:
        return f"{said}; the head that you kept is the first one, and binds the start of the game"
    return f"{said}; the head that you kept follows turn {head.turn}, and binds everything up to it"


def _ended(game: GameFile) -> str:
    """Describe the end of a game.

    If the game did not end by the rules, for example because staff cancelled it, its end cannot be proved.
    The end is then described as the file states it.
    """
    if game.ending is None:
        return f"won by {game.winner}" if game.winner else "lost"
    ended = {
        "voted": "cancelled by vote of its players",
        "conceded": f"conceded to {game.winner} by vote of the others",
        "staff": "cancelled by staff",
        "deserted": "cancelled, because no player was left",
        "resigned": f"won by {game.winner} by resignation" if game.winner else "lost by resignation",
    }
    return f"and then {ended[game.ending]}, after turn {game.turns[-1].turn}, which no file can prove"


def fly_file(chosen: argparse.Namespace) -> int:
    for file, document in _documents(chosen.files):
        try:
            return print_reports(document, chosen)
        except RulesError as error:
            raise BadInput(f"{file}: {error}") from None
    return 0


def design_ship(chosen: argparse.Namespace) -> int:
    try:
        return print_design(chosen)
    except RulesError as error:
        raise BadInput(f"design: {error}") from None


def rulesets(_: list[str]) -> int:
    print("\n\n".join(outline(ruleset) for ruleset in RULESETS.values()))
    return 0


COMMANDS = {"resolve": resolve, "check": check, "validate": validate, "draw": draw_file, "rulesets": rulesets}

READER_GONE = 128 + 13
"""The exit status if the reader of the output closes the pipe. Shells use the same number."""


def run() -> int:
    """Run the command from this process's arguments, and return its exit status.

    The command ends quietly if the reader of its output, such as ``head``, closes the pipe.
    """
    try:
        try:
            return main()
        finally:
            sys.stdout.flush()
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())  # Python flushes once more at exit
        return READER_GONE


if __name__ == "__main__":
    sys.exit(run())
