"""Robo Runner's rules engine, an implementation of the rulebook.

The engine is plain Python and needs only the standard library. It uses no clock, database or network. A game
consists of a `Setup` and a `State`. The setup (ruleset, options and starship) never changes. Each turn
replaces the state:

>>> ship = read_starship({"format": "starship/1", "rows": [". . .+i1", "a . ."]})
>>> setup = make_setup(ruleset("robo-runner"), {}, ship, seats=1)
>>> state = new_game(setup, ["alice"], seed=7)
>>> state = resolve_turn(setup, state, {}, {0: read_orders({"heading": "N"})}, seed=7).state
>>> dealt = deal(setup, state, seed=7)
>>> dealt.state.turn, len(dealt.hands[0])
(1, 9)
>>> orders = complete(setup, dealt.state, 0, dealt.hands[0], None, seed=7)
>>> problems(setup, dealt.state, 0, dealt.hands[0], orders)
()
>>> outcome = resolve_turn(setup, dealt.state, dealt.hands, {0: orders}, seed=7)
>>> fold(dealt.state, outcome.events) == outcome.state
True
"""

from rules import compiled, computers  # first, since it finds compiled versions of the others
from rules.chance import Seed, commitment, computer_seed
from rules.codec import (
    Vocabulary,
    events_from_json,
    events_to_json,
    rename_in_event,
    rename_in_state,
    state_from_json,
    state_to_json,
)
from rules.courses import (
    Tile,
    join,
    with_checkpoints,
    with_first_checkpoints,
    with_random_checkpoints,
    with_start,
)
from rules.dealing import (
    Deal,
    Hand,
    can_redeal,
    deal,
    drawn_in_order,
    is_set_aside,
    redeal,
    redeal_while_turning,
    switch_on,
)
from rules.document import (
    NotationError,
    Problem,
    RulesError,
    SetupError,
    UnknownRuleset,
    UnknownVersion,
    canonical,
    in_one_line,
    parse,
)
from rules.drawing import draw
from rules.engine import Outcome, begin, fold, new_game, preview, resolve_turn, state_after
from rules.events import Event
from rules.game_file import GAME_FORMAT, GameFile, digest_of, read_game_file, with_digest
from rules.grid import HEADINGS, LETTERS, OFF
from rules.language import Words
from rules.notation import Report, check_starship, read_starship, write_starship
from rules.orders import CHIPS, DECK, HAND, REGISTERS, Chip, Orders, read_orders, write_orders
from rules.programming import OrderProblem, complete, needs_orders, problems
from rules.rulesets import RULESETS, ruleset
from rules.second_person import ToYou
from rules.sentences import sentence
from rules.setup import Option, Ruleset, Setup, Step, read_house_rules, read_options
from rules.starship import Starship
from rules.state import MODELS, Robot, State
from rules.steps.lasers import EQUIPMENT, HAND_EQUIPMENT, PHASE_EQUIPMENT
from rules.suitability import make_setup, overcrowding, reasons_against, suits
from rules.verification import Fault, verify
from rules.view import RobotView, View, robot_to_json, view, view_to_json
