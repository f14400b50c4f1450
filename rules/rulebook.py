"""A ruleset as a person reads it: parameters, options, and the steps of a turn in order."""

from collections.abc import Iterator

from rules.models import MODELS
from rules.setup import LARGEST_BOARD, Option, Ruleset, Step

UNBOUNDED = 99
"""More checkpoints than any board has."""

COMMON = "G"
"""The prefix of the chapter that holds for all rulesets."""

PARTS = (
    ("opening", "Before the first turn"),
    ("before", "Before phase 1"),
    ("phase", "Each of the five phases"),
    ("entering", "The moment a robot enters a cell"),
    ("end", "At the end of the turn"),
    ("verdict", "After each phase, and after the end of the turn"),
)


def outline(ruleset: Ruleset) -> str:
    lines = [f"{ruleset.name} ({ruleset.key}, version {ruleset.version})", f"  {ruleset.summary}", ""]
    lines += [f"  {name}: {value}" for name, value in parameters(ruleset)]
    lines += [f"  option {option.key} ({choices(option)}): {option.text}" for option in ruleset.options]
    lines += [f"  house rule {rule.key} ({choices(rule)}): {rule.text}" for rule in ruleset.house_rules]
    for title, steps in parts(ruleset):
        lines += ["", f"  {title}:"]
        lines += [
            f"    {number:2}. {step.name} ({' '.join(clauses_of(ruleset, step))}): {step.text}"
            for number, step in enumerate(steps, 1)
        ]
    return "\n".join(lines)


def page(ruleset: Ruleset) -> str:
    """Return the ruleset as a page in Markdown."""
    lines = [f"# {ruleset.name}", "", ruleset.summary, ""]
    lines += ["| parameter | value |", "|---|---|"]
    lines += [f"| {name} | {value} |" for name, value in parameters(ruleset)]
    for kind, options in (("option", ruleset.options), ("house rule", ruleset.house_rules)):
        lines += ["", f"| {kind} | choice | what it does |", "|---|---|---|"]
        lines += [f"| `{option.key}` | {choices(option)} | {option.text} |" for option in options]
    for title, steps in parts(ruleset):
        lines += ["", f"## {title}", ""]
        lines += [
            f"{number}. **{step.name}** ({', '.join(clauses_of(ruleset, step))}). {step.text}"
            for number, step in enumerate(steps, 1)
        ]
    return "\n".join(lines) + "\n"


def parameters(ruleset: Ruleset) -> Iterator[tuple[str, str]]:
    yield "players", f"{ruleset.seats[0]} to {ruleset.seats[1]}"
    yield "deck", "one for all robots" if ruleset.shared_deck else "one for each robot"
    yield "robots act", "by rank" if ruleset.ranks else "by chip number"
    if ruleset.squads:
        yield "squads", " and ".join(ruleset.squads)
    if ruleset.models:
        yield "models", " ".join(MODELS[model] for model in ruleset.models)
    if ruleset.boards > 1:
        bounds = "any number" if ruleset.boards >= ruleset.cells else f"1 to {ruleset.boards}"
        yield "boards", f"{bounds}, joined side to side"
    if ruleset.cells < LARGEST_BOARD:
        yield "largest board", f"{ruleset.cells:,} cells"
    if ruleset.sets_start:
        yield "start", "set by the creator if wished"
    yield "checkpoints", checkpoint_bounds(ruleset)
    if ruleset.chance_fills:
        yield "missed turns", "played by chance unless the creator chooses otherwise"
    yield "robots start", "virtual" if ruleset.virtual_start else "real"
    yield "damage that destroys", str(ruleset.damage_limit)
    yield "damage on coming back", str(ruleset.return_damage)
    yield "orders beside chips", ", ".join(sorted(ruleset.orders)) or "none"
    yield "elements beyond the common ones", ", ".join(sorted(ruleset.elements)) or "none"


def checkpoint_bounds(ruleset: Ruleset) -> str:
    """Say how many checkpoints a board must have, and whether the creator may set them."""
    least, most = ruleset.checkpoints
    bounds = f"{least} to {most}" if most < UNBOUNDED else f"{least} or more" if least else "any number"
    return bounds + (", set by the creator if wished" if ruleset.sets_checkpoints else "")


def parts(ruleset: Ruleset) -> Iterator[tuple[str, tuple[Step, ...]]]:
    for attribute, title in PARTS:
        if steps := getattr(ruleset, attribute):
            yield title, steps


def chapters_of(ruleset: Ruleset) -> tuple[str, ...]:
    """Return the prefixes of the chapters that a ruleset is played by, in the order of reading."""
    return tuple(filter(None, (COMMON, ruleset.base, ruleset.prefix)))


def clauses_of(ruleset: Ruleset, step: Step) -> list[str]:
    """Return the clauses of a step that stand in the ruleset's own chapters: steps are shared."""
    chapters = chapters_of(ruleset)
    return [number for number in step.clauses.split() if number.partition("-")[0] in chapters]


def choices(option: Option) -> str:
    """Say what may be chosen, and what is chosen if nothing is said."""
    if option.yes_or_no:
        return f"yes or no, {'yes' if option.default else 'no'} unless chosen"
    return f"{option.least} to {option.most}, {option.default} unless chosen"
