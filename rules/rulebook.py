"""A ruleset as text for people: its parameters, its options, and its steps in order."""

from collections.abc import Iterable, Iterator

from rules.language import N_, Sentence
from rules.setup import LARGEST_BOARD, Option, Ruleset, Step
from rules.state import MODELS
from rules.steps.lasers import EQUIPMENT, EQUIPMENT_NAMES, EQUIPMENT_TEXTS, full_ammo
from rules.steps.turn_end import WEIGHTS

UNBOUNDED = 99

COMMON = "G"
"""The prefix of the clauses (as in G-1.2) in the chapter that applies to all rulesets."""

PARTS = (
    ("opening", N_("Before the first turn")),
    ("before", N_("Before phase 1")),
    ("phase", N_("In each of the five phases")),
    ("entering", N_("When a robot enters a cell")),
    ("end", N_("At the end of the turn")),
    ("verdict", N_("After each phase, and after the end of the turn")),
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
    """Return a ruleset as a page in Markdown."""
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
    """Return the option that adds a step to a ruleset, or None if the step does not depend on an option."""
    for option in ruleset.options:
        if option.default is False and option.effect and not option.effect(ruleset, False).has(step.name):
            return option
    return None


def quick_reference(ruleset: Ruleset) -> Iterator[tuple[str, list[tuple[str, str]]]]:
    """Yield the sections of a ruleset's quick reference, each as a title and its entries: names with texts.

    The quick reference does not include steps.
    """
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
    """Return the deeds that earn weight in a ruleset, with their weights (RR-2.2).

    The list is empty for rulesets without ranks.
    """
    there = {"inspect": ruleset.has("inspection"), "weld": welds(ruleset)}
    return [(deed, weight) for deed, weight in WEIGHTS.items() if ruleset.ranks and there.get(deed, True)]


def welds(ruleset: Ruleset) -> bool:
    """Return whether robots can weld damaged hull in a ruleset (RR-7.3, RA-1)."""
    may = any(option.key == "hull_damage" for option in ruleset.options)
    return may and "hull damage" in ruleset.elements


def element_text(ruleset: Ruleset, name: str) -> str:
    """Return a sentence about the effect of an element in a ruleset."""
    return NO_HULL_DAMAGE if name == "hull damage" and not welds(ruleset) else ELEMENTS[name]


VIRTUAL = N_(
    "A virtual robot moves, turns and is damaged by the board like any other robot. It does not push, block"
    " or shoot other robots, and they do not push, block or shoot it. It welds nothing. It becomes real when"
    " it ends a turn alone in its cell."
)
"""The rules for virtual robots, as a text for players (G-1.5)."""

NO_HULL_DAMAGE = N_("Hull damage has no effect: a damaged checkpoint is like any other.")

ORDERS = {
    "equipment": N_("equipment"),
    "heading": N_("heading"),
    "place": N_("cell to come back on"),
    "power_down": N_("power down"),
    "stay_down": N_("stay off"),
    "unlock": N_("unlock"),
}
"""The names of all orders except chips, by key."""

ELEMENTS = {
    N_("beam of speed 3"): N_("Pulls a robot three cells along in each phase, one step at a time."),
    N_("docking arm"): N_(
        "Pushes the robot in its cell away from the arm's edge, in every phase or in the phases shown."
    ),
    N_("coupling"): N_("A robot takes 1 damage if the coupling's rail stops it when it drives or is pushed."),
    N_("launch bay"): N_("Its doors are closed in the phases shown. In all other phases, it is a shaft."),
    N_("thruster"): N_(
        "If a robot enters it with steps of its chip left, it lifts the robot: the robot flies over"
        " everything except robots, and one cell further. A robot that stands on it takes 1 damage."
    ),
    N_("transporter"): N_(
        "Beams a robot that entered it in this phase to the next transporter of the same colour."
    ),
    N_("hull damage"): N_(
        "No robot can enter a damaged checkpoint. Each shot from a real robot that reaches it welds it"
        " once. The number shows how many welds it still needs."
    ),
    N_("crusher"): N_("Destroys the robot in its cell in the phases shown."),
    N_("oil"): N_("A robot that moved onto oil slides to the end of the oil, and one cell further."),
    N_("grappler"): N_("The power crystal arrives here. It destroys any robot that stands here."),
    N_("coloured airlock"): N_(
        "Robots of the squad with this colour start and come back here, and bring the crystal here."
    ),
}
"""The effect of each element that only some rulesets know, in a sentence or two."""


def parameters(ruleset: Ruleset) -> Iterator[tuple[Sentence, str]]:
    """Yield the names and values of a ruleset's parameters."""
    least, most = ruleset.seats
    yield Sentence("players"), Sentence("{least} to {most}", least=least, most=most)
    yield Sentence("deck"), Sentence("one for all robots" if ruleset.shared_deck else "one for each robot")
    yield Sentence("robots act"), Sentence("by rank" if ruleset.ranks else "by chip number")
    if ruleset.squads:
        yield Sentence("squads"), Sentence("red and blue")
    if ruleset.boards > 1:
        limited = ruleset.boards < ruleset.cells
        joined = Sentence("1 to {most}, joined side to side", most=ruleset.boards)
        yield Sentence("boards"), joined if limited else Sentence("any number, joined side to side")
    if ruleset.cells < LARGEST_BOARD:
        yield Sentence("largest board"), Sentence("{number} cells", number=ruleset.cells)
    if ruleset.sets_start:
        yield Sentence("start"), Sentence("the host may set it")
    yield Sentence("checkpoints"), checkpoint_bounds(ruleset)
    if ruleset.chance_fills:
        yield Sentence("missed turns"), Sentence("played at random unless the host chooses otherwise")
    yield Sentence("robots start"), Sentence("virtual" if ruleset.virtual_start else "real")
    yield Sentence("damage that destroys a robot"), str(ruleset.damage_limit)
    yield Sentence("damage on coming back"), str(ruleset.return_damage)
    yield Sentence("orders besides chips"), _list_of(ORDERS[order] for order in ruleset.orders)
    yield Sentence("elements beyond the common ones"), _list_of(ruleset.elements)


def checkpoint_bounds(ruleset: Ruleset) -> Sentence:
    """Return the number of checkpoints that a board must have, and whether the host may set them."""
    least, most = ruleset.checkpoints
    if most < UNBOUNDED:
        bounds = Sentence("{least} to {most}", least=least, most=most)
    else:
        bounds = Sentence("{least} or more", least=least) if least else Sentence("any number")
    return Sentence("{bounds}; the host may set them", bounds=bounds) if ruleset.sets_checkpoints else bounds


def _list_of(names: Iterable[str]) -> Sentence:
    first, *rest = sorted(names) or [N_("none")]
    listed = Sentence(first)
    for name in rest:
        listed = Sentence("{names}, {name}", names=listed, name=Sentence(name))
    return listed


def parts(ruleset: Ruleset) -> Iterator[tuple[str, tuple[Step, ...]]]:
    for attribute, title in PARTS:
        if steps := getattr(ruleset, attribute):
            yield title, steps


def chapters_of(ruleset: Ruleset) -> tuple[str, ...]:
    """Return the prefixes of the chapters that apply to a ruleset, in reading order."""
    return tuple(filter(None, (COMMON, ruleset.base, ruleset.prefix)))


def clauses_of(ruleset: Ruleset, step: Step) -> list[str]:
    """Return the clauses of a step in the chapters that apply to the ruleset.

    Rulesets share steps, so a step may also have clauses of other rulesets.
    """
    chapters = chapters_of(ruleset)
    return [number for number in step.clauses.split() if number.partition("-")[0] in chapters]


def choices(option: Option) -> Sentence:
    """Return the possible values of an option, and its default, as a text."""
    if option.yes_or_no:
        return Sentence("yes or no (default: yes)" if option.default else "yes or no (default: no)")
    form = N_("{least} to {most} (default: {default})")
    return Sentence(form, least=option.least, most=option.most, default=option.default)
