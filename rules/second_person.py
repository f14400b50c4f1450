"""Sentences of the log as its reader hears them: “you” in place of the name of the reader's robot.

The table has each sentence of `rules.sentences` again for each part that a robot can play in it. A sentence
that the table does not have keeps the name.
"""

from collections.abc import Mapping
from typing import Final

from rules.language import ENGLISH, N_, Words

TO_YOU: Final[Mapping[str, Mapping[str, str]]] = {
    "robot": {
        "{robot} moves to {cell}.": N_("You move to {cell}."),
        "{robot} is pushed to {cell}.": N_("You are pushed to {cell}."),
        "{pusher} pushes {robot} to {cell}.": N_("{pusher} pushes you to {cell}."),
        "A tractor beam pulls {robot} to {cell}.": N_("A tractor beam pulls you to {cell}."),
        "A docking arm pushes {robot} to {cell}.": N_("A docking arm pushes you to {cell}."),
        "{robot} slides on oil to {cell}.": N_("You slide on oil to {cell}."),
        "{robot} is beamed to {cell}.": N_("You are beamed to {cell}."),
        "{robot} turns to face {way}.": N_("You turn to face {way}."),
        "{robot} faces {way}.": N_("You face {way}."),
        "The beam's curve turns {robot} to face {way}.": N_("The beam's curve turns you to face {way}."),
        "A twister turns {robot} to face {way}.": N_("A twister turns you to face {way}."),
        "{robot} is stopped by a rail.": N_("You are stopped by a rail."),
        "{robot} is stopped by damaged hull.": N_("You are stopped by damaged hull."),
        "{robot} is stopped, because the robot ahead cannot move.": N_(
            "You are stopped, because the robot ahead cannot move."
        ),
        "{robot} is held by clamps.": N_("You are held by clamps."),
        "{shooter} fires at {robot}, and the shot is reflected.": N_(
            "{shooter} fires at you, and you reflect the shot."
        ),
        "{shooter} fires at {robot}, and the shot is reflected without effect.": N_(
            "{shooter} fires at you, and you reflect the shot without effect."
        ),
        "{shooter} shoots {robot}.": N_("{shooter} shoots you."),
        "{shooter} shoots {robot}, without effect.": N_("{shooter} shoots you, without effect."),
        "{robot} is hit by a shot from {source}: {number} point of damage.": N_(
            "A shot from {source} hits you: {number} damage."
        ),
        "{robot} is hit by one of the ship's lasers: {number} point of damage.": N_(
            "One of the ship's lasers hits you: {number} damage."
        ),
        "{robot} is shocked by a power coupling: {number} point of damage.": N_(
            "A power coupling shocks you: {number} damage."
        ),
        "{robot} is burnt by a thruster: {number} point of damage.": N_(
            "A thruster burns you: {number} damage."
        ),
        "{robot} falls into a cooling shaft.": N_("You fall into a cooling shaft."),
        "{robot} is lost in space.": N_("You are lost in space."),
        "{robot} falls through a launch bay.": N_("You fall through a launch bay."),
        "{robot} is crushed.": N_("You are crushed."),
        "{robot} is destroyed by damage.": N_("You are destroyed by damage."),
        "{robot} is destroyed in a quantum implosion.": N_("You are destroyed in a quantum implosion."),
        "{robot} falls into a cooling shaft, pushed by {killers}.": N_(
            "You fall into a cooling shaft, pushed by {killers}."
        ),
        "{robot} is lost in space, pushed by {killers}.": N_("You are lost in space, pushed by {killers}."),
        "{robot} falls through a launch bay, pushed by {killers}.": N_(
            "You fall through a launch bay, pushed by {killers}."
        ),
        "{robot} is crushed, pushed by {killers}.": N_("You are crushed, pushed by {killers}."),
        "{robot} is destroyed by damage, shot by {killers}.": N_(
            "You are destroyed by damage, shot by {killers}."
        ),
        "{robot} welds the hull at checkpoint {checkpoint}; repairs left: {left}.": N_(
            "You weld the hull at checkpoint {checkpoint}; repairs left: {left}."
        ),
        "{robot} repairs {number} damage at a depot.": N_("You repair {number} damage at a depot."),
        "{robot} repairs {number} damage at a checkpoint.": N_("You repair {number} damage at a checkpoint."),
        "{robot} reboots, and all its damage ({number}) is repaired.": N_(
            "You reboot, and all your damage ({number}) is repaired."
        ),
        "{robot} is off, and all its damage ({number}) is repaired.": N_(
            "You are off, and all your damage ({number}) is repaired."
        ),
        "{robot} repairs {number} damage.": N_("You repair {number} damage."),
        "{robot} reaches checkpoint {number}.": N_("You reach checkpoint {number}."),
        "{robot} touches checkpoint {number}.": N_("You touch checkpoint {number}."),
        "{robot} passes checkpoint {number}.": N_("You pass checkpoint {number}."),
        "{robot} inspects checkpoint {number}.": N_("You inspect checkpoint {number}."),
        "{robot} sets its archive at {cell}.": N_("You set your archive at {cell}."),
        "{robot} is switched on.": N_("You are switched on."),
        "{robot} stays off.": N_("You stay off."),
        "{robot} is switched off.": N_("You are switched off."),
        "{robot} is reloaded. Ammunition: {number}.": N_("You are reloaded. Ammunition: {number}."),
        "{robot} uses its equipment. Ammunition left: {number}.": N_(
            "You use your equipment. Ammunition left: {number}."
        ),
        "{robot} enters the board at {cell}.": N_("You enter the board at {cell}."),
        "{robot} camped too long and is moved to {cell}.": N_("You camped too long and are moved to {cell}."),
        "{robot} comes back at {cell} as a virtual robot.": N_("You come back at {cell} as a virtual robot."),
        "{robot} comes back at {cell}.": N_("You come back at {cell}."),
        "{robot} becomes real: robots can push and shoot it now.": N_(
            "You become real: robots can push and shoot you now."
        ),
        "{robot} becomes virtual: robots pass through it now.": N_(
            "You become virtual: robots pass through you now."
        ),
        "{robot} finishes in place {place}.": N_("You finish in place {place}."),
        "{robot} finishes in place {place} and leaves the board.": N_(
            "You finish in place {place} and leave the board."
        ),
    },
    "pusher": {
        "{pusher} pushes {robot} to {cell}.": N_("You push {robot} to {cell}."),
    },
    "shooter": {
        "{shooter} fires through a virtual robot.": N_("You fire through a virtual robot."),
        "{shooter} fires at damaged hull.": N_("You fire at damaged hull."),
        "{shooter} aims its force projector at {robot}.": N_("You aim your force projector at {robot}."),
        "{shooter} fires at {robot}, and the shot is reflected.": N_(
            "You fire at {robot}, and the shot is reflected."
        ),
        "{shooter} fires at {robot}, and the shot is reflected without effect.": N_(
            "You fire at {robot}, and the shot is reflected without effect."
        ),
        "{shooter} shoots {robot}.": N_("You shoot {robot}."),
        "{shooter} shoots {robot}, without effect.": N_("You shoot {robot}, without effect."),
    },
    "source": {
        "{robot} is hit by a shot from {source}: {number} point of damage.": N_(
            "Your shot hits {robot}: {number} damage."
        ),
    },
    "killers": {
        "{robot} falls into a cooling shaft, pushed by {killers}.": N_(
            "{robot} falls into a cooling shaft: you pushed."
        ),
        "{robot} is lost in space, pushed by {killers}.": N_("{robot} is lost in space: you pushed."),
        "{robot} falls through a launch bay, pushed by {killers}.": N_(
            "{robot} falls through a launch bay: you pushed."
        ),
        "{robot} is crushed, pushed by {killers}.": N_("{robot} is crushed: you pushed."),
        "{robot} is destroyed by damage, shot by {killers}.": N_(
            "{robot} is destroyed by damage: you fired."
        ),
    },
    "winner": {
        "{winner} has passed every checkpoint and wins.": N_("You have passed every checkpoint and win!"),
        "{winner} was the first to touch every checkpoint, and wins.": N_(
            "You were the first to touch every checkpoint, and win!"
        ),
        "{winner} has inspected every checkpoint and wins.": N_(
            "You have inspected every checkpoint and win!"
        ),
        "{winner} is the last one standing and wins.": N_("You are the last one standing and win!"),
        "All robots are out. {winner} got furthest and wins.": N_(
            "All robots are out. You got furthest and win!"
        ),
    },
}
"""Sentences that say “you”, by the part that the reader's robot plays and the sentence with its name."""


class ToYou(Words):
    """A reader's language for a reader with a robot.

    >>> ToYou("Alice")("{shooter} shoots {robot}.", shooter="Bob", robot="Alice")
    'Bob shoots you.'
    """

    def __init__(self, robot: str, words: Words = ENGLISH) -> None:
        super().__init__(words._gettext, words._ngettext, words.number)
        self._robot = robot

    def __call__(self, sentence: str, **values: object) -> str:
        return super().__call__(self._to_you(sentence, values) or sentence, **values)

    def ngettext(self, one: str, many: str, number: int, **values: object) -> str:
        if to_you := self._to_you(one, values):
            return super().__call__(to_you, number=number, **values)
        return super().ngettext(one, many, number, **values)

    def _to_you(self, sentence: str, values: Mapping[str, object]) -> str:
        parts = (part for part in TO_YOU if values.get(part) == self._robot)
        return next((said for part in parts if (said := TO_YOU[part].get(sentence))), "")
