"""A ruleset for people to read: parameters, options, and steps in order."""

from collections.abc import Iterator

from rules.setup import LARGEST_BOARD, Option, Ruleset, Step
from rules.state import MODELS
from rules.steps.lasers import EQUIPMENT, EQUIPMENT_NAMES, EQUIPMENT_TEXTS, full_ammo
from rules.steps.turn_end import WEIGHTS

UNBOUNDED = 99

COMMON = "G"
"""The prefix of the chapter for all rulesets."""

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
        for number, step in enumerate(steps, 1):
            option = option_of(ruleset, step)
            only = f" *Only with the option `{option.key}`.*" if option else ""
            clauses = ", ".join(clauses_of(ruleset, step))
            lines.append(f"{number}. **{step.name}** ({clauses}). {step.text}{only}")
    for title, entries in quick_reference(ruleset):
        lines += ["", f"## {title}", ""]
        lines += [f"- **{name}**: {text}" for name, text in entries]
    return "\n".join(lines) + "\n"


def option_of(ruleset: Ruleset, step: Step) -> Option | None:
    """Return the option that adds a step to a ruleset, or None for a permanent step."""
    for option in ruleset.options:
        if option.default is False and option.effect and not option.effect(ruleset, False).has(step.name):
            return option
    return None


def quick_reference(ruleset: Ruleset) -> Iterator[tuple[str, list[tuple[str, str]]]]:
    """Yield reference sections for players, other than steps: titles with entries."""
    if ruleset.elements:
        known = [name for name in ELEMENTS if name in ruleset.elements]
        yield "Elements beyond the common ones", [(name, element_text(ruleset, name)) for name in known]
    if ruleset.virtual_start:
        yield "Virtual robots", [("virtual", VIRTUAL)]
    if any(option.key == "equipment" for option in ruleset.options):
        items = [
            (EQUIPMENT_NAMES[item], f"{EQUIPMENT_TEXTS[item]} Full ammunition: {full_ammo(item)}.")
            for item in EQUIPMENT
        ]
        yield "Optional equipment", items
    if ruleset.models:
        yield "Models", [(model, MODELS[model]) for model in ruleset.models]
    if found := weights(ruleset):
        yield "Weights", [(deed, f"+{weight}") for deed, weight in found]


def weights(ruleset: Ruleset) -> list[tuple[str, int]]:
    """Return the deeds with weight in a ruleset. None without ranks (RR-2.2)."""
    there = {"inspect": ruleset.has("inspection"), "weld": welds(ruleset)}
    return [(deed, weight) for deed, weight in WEIGHTS.items() if ruleset.ranks and there.get(deed, True)]


def welds(ruleset: Ruleset) -> bool:
    """Return whether hull damage counts in a ruleset (RR-7.3, RA-1)."""
    may = any(option.key == "hull_damage" for option in ruleset.options)
    return may and "hull damage" in ruleset.elements


def element_text(ruleset: Ruleset, name: str) -> str:
    """Return the effect of an element in a ruleset, in a sentence."""
    return NO_HULL_DAMAGE if name == "hull damage" and not welds(ruleset) else ELEMENTS[name]


VIRTUAL = (
    "A virtual robot moves, turns and is damaged by the board like any other. Robots and it do not push,"
    " block or shoot each other, and it welds nothing. It becomes real when it ends a turn alone in its cell."
)
"""The rules for virtual robots (G-1.5)."""

NO_HULL_DAMAGE = "It does not count: such a checkpoint is like any other."

ELEMENTS = {
    "beam of speed 3": "Pulls a robot three cells along in each phase, one step at a time.",
    "docking arm": "Pushes the robot in its cell away from its edge, always or in the phases shown.",
    "coupling": "A robot takes 1 damage if its rail stops the robot's step, or a push of it.",
    "launch bay": "Has closed doors in the phases shown, and is a shaft in all others.",
    "thruster": (
        "Lifts a robot that enters it with steps of its chip left: the robot flies over everything but"
        " robots, and one cell further. A robot that stands on it takes 1 damage."
    ),
    "transporter": "Beams a robot that came onto it in this phase to the next one of its colour.",
    "hull damage": (
        "No robot enters a damaged checkpoint. Each shot of a real robot that reaches it welds it once, and"
        " the number shows how often it must be welded."
    ),
    "crusher": "Destroys the robot in its cell in the phases shown.",
    "oil": "A robot that moved onto it slides to its end and one cell further.",
    "grappler": "The power crystal arrives there. It destroys a robot that stands there.",
    "coloured airlock": "Robots of that squad start and come back there, and bring the crystal there.",
}
"""The effects of the elements beyond the common ones, in a sentence or two."""


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
    """Return the bounds for a board's checkpoints, and whether the host may set them."""
    least, most = ruleset.checkpoints
    bounds = f"{least} to {most}" if most < UNBOUNDED else f"{least} or more" if least else "any number"
    return bounds + (", set by the creator if wished" if ruleset.sets_checkpoints else "")


def parts(ruleset: Ruleset) -> Iterator[tuple[str, tuple[Step, ...]]]:
    for attribute, title in PARTS:
        if steps := getattr(ruleset, attribute):
            yield title, steps


def chapters_of(ruleset: Ruleset) -> tuple[str, ...]:
    """Return the prefixes of a ruleset's chapters, in reading order."""
    return tuple(filter(None, (COMMON, ruleset.base, ruleset.prefix)))


def clauses_of(ruleset: Ruleset, step: Step) -> list[str]:
    """Return a step's clauses from the ruleset's chapters, as rulesets share steps."""
    chapters = chapters_of(ruleset)
    return [number for number in step.clauses.split() if number.partition("-")[0] in chapters]


def choices(option: Option) -> str:
    """Return the choices of an option and its default, in words."""
    if option.yes_or_no:
        return f"yes or no, {'yes' if option.default else 'no'} unless chosen"
    return f"{option.least} to {option.most}, {option.default} unless chosen"
