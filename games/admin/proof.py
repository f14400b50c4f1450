"""The proof of a starship: what its document, as someone types it, looks like and what is wrong with it."""

import json
from dataclasses import dataclass, field

from django.utils.safestring import SafeString

import rules
from games.errors import ProblemDocument, of_document
from games.fleet.selectors.starships import unsuitable
from games.fleet.services.starships import check_document
from games.fleet.stored import crowding_in
from games.shipyard.selectors import problems_in
from rules.mending import Fault, faults_of
from rules.sketch import read_sketch

SHOWN = 500
"""The most problems that are listed; a document with more was hardly made by hand."""


@dataclass(frozen=True)
class Proof:
    """A drawing, unless the document has faults of notation; errors, which prevent saving; warnings.

    ``suits`` are the names of the rulesets that can be played on it, ``others`` those that cannot, each
    with the first reason and the number of all.
    """

    drawing: SafeString | None
    errors: list[ProblemDocument]
    warnings: list[ProblemDocument]
    suits: list[str] = field(default_factory=list)
    others: list[tuple[str, str, int]] = field(default_factory=list)
    faults: list[Fault] = field(default_factory=list)

    @property
    def problems(self) -> list[tuple[str, ProblemDocument]]:
        """Every problem to be listed, with its severity; errors first, each sort in reading order."""
        found = [("error", problem) for problem in self.errors]
        found += [("warning", problem) for problem in self.warnings]
        return found[:SHOWN]

    @property
    def told_to_editor(self) -> str:
        """What is wrong, as JSON for the editor: as on the pages of players, with what mends it."""
        return json.dumps(problems_in(self.faults))

    @property
    def most(self) -> int:
        """How many problems are listed at most; not all of more are looked for."""
        return SHOWN

    @property
    def is_cut_short(self) -> bool:
        """Whether there are further problems."""
        return len(self.errors) + len(self.warnings) > SHOWN


def proof_of(text: str) -> Proof:
    """Return the proof of a starship/1 document, whatever the text is."""
    try:
        document = rules.parse(text)
    except rules.NotationError as error:
        return Proof(None, of_document("json", error.problems), [])
    if crowded := crowding_in(document):
        return Proof(None, of_document("starship", crowded), [])
    report = rules.check_starship(document)
    drawing = None
    if report.starship is not None:
        drawing = SafeString(
            rules.draw(report.starship, theme="page", cell=None, rulers=True, prefix="proof")
        )
    errors, faults = sorted(check_document(document), key=_place), _faults_in(document)
    warnings = [fault.problem for fault in faults if not fault.prevents_play and report.starship is not None]
    proof = Proof(drawing, errors, sorted(of_document("warning", warnings), key=_place), faults=faults)
    if report.starship is not None:
        for ruleset in rules.RULESETS.values():
            if reasons := unsuitable(ruleset, report.starship):
                proof.others.append((ruleset.name, str(reasons[0]), len(reasons)))
            else:
                proof.suits.append(ruleset.name)
    return proof


def _faults_in(document: object) -> list[Fault]:
    """Return what is wrong with what is drawn, for no ruleset; nothing where that is no drawing."""
    try:
        return faults_of(read_sketch(document))
    except rules.NotationError:
        return []


def _place(problem: ProblemDocument) -> tuple[int, int]:
    return problem.get("row", 0), problem.get("column", 0)
