"""All that changes games, starships, notices and tokens: a module for each verb.

Arguments are keywords; what cannot be done raises an error of `games.errors`, and changes nothing.
"""

from games.services.absences import change_standing, change_standing_of_game
from games.services.adopting import adopt_guest
from games.services.cancelling import cancel_game
from games.services.changing import change_game
from games.services.chatting import read_chat, say
from games.services.computing import play_computers
from games.services.counting import close_due_votes
from games.services.creating import create_game
from games.services.deadlines import keep_deadline
from games.services.deleting import delete_account
from games.services.demonstrating import Demonstration, make_demo
from games.services.devices import add_device, drop_device
from games.services.drafting import read_pace
from games.services.erasing import erase, erase_again
from games.services.expiring import expire_lobbies
from games.services.feeds import drop_feed, make_feed
from games.services.flying import start_mission
from games.services.forgetting import forget_guests
from games.services.heads import fill_gaps
from games.services.instructing import check_mission, load_missions, save_mission
from games.services.intervening import cancel_as_staff, extend_turn, replace_as_staff, resolve_again
from games.services.inviting import decline_invitation, invite, withdraw_invitation
from games.services.jobs import try_again
from games.services.joining import join_game, leave_game
from games.services.loading import Loaded, load_starships
from games.services.manners import (
    change_manner,
    change_manner_of_game,
    stop_mail_of_game,
    stop_mail_of_lobbies,
)
from games.services.pausing import pause_game, resume_game
from games.services.private_links import renew_link
from games.services.quick import quick_game
from games.services.readiness import set_ready, start_game
from games.services.recording import mark_seen, record_turn
from games.services.recounting import Recounted, recount, recount_person
from games.services.redealing import redeal_hand
from games.services.rematching import rematch
from games.services.reminding import remind
from games.services.repairing import send_again
from games.services.resigning import give_up_seat, resign_game
from games.services.resolving import play_turn, resolve_turn
from games.services.resting import change_rest
from games.services.returning import fetch_returns, take_fate, take_return, try_address_again
from games.services.seating import change_seat
from games.services.seeing import see_turn
from games.services.sending import send_notice
from games.services.shipyard import check_document, duplicate_starship, retire_starship, save_starship
from games.services.sketching import drop_draft, save_draft
from games.services.staffing import add_computer, change_computer, remove_player
from games.services.submitting import submit_orders
from games.services.sweeping import sweep
from games.services.taking_over import take_seat
from games.services.tokens import (
    make_token,
    revoke_own_token,
    revoke_token,
    revoke_token_by_id,
    revoke_tokens,
    use_token,
)
from games.services.trying import send_tests
from games.services.vacationing import call_off_vacation, plan_vacation
from games.services.visiting import note_visit
from games.services.voting import call_vote, cast_ballot
from games.services.waking import wake_robot
from games.services.webhooks import drop_webhook, renew_secret, set_webhook, try_webhook

__all__ = [
    "Demonstration",
    "Loaded",
    "Recounted",
    "add_computer",
    "add_device",
    "adopt_guest",
    "call_off_vacation",
    "call_vote",
    "cancel_as_staff",
    "cancel_game",
    "cast_ballot",
    "change_computer",
    "change_game",
    "change_manner",
    "change_manner_of_game",
    "change_rest",
    "change_seat",
    "change_standing",
    "change_standing_of_game",
    "check_document",
    "check_mission",
    "close_due_votes",
    "create_game",
    "decline_invitation",
    "delete_account",
    "drop_device",
    "drop_draft",
    "drop_feed",
    "drop_webhook",
    "duplicate_starship",
    "erase",
    "erase_again",
    "expire_lobbies",
    "extend_turn",
    "fetch_returns",
    "fill_gaps",
    "forget_guests",
    "give_up_seat",
    "invite",
    "join_game",
    "keep_deadline",
    "leave_game",
    "load_missions",
    "load_starships",
    "make_demo",
    "make_feed",
    "make_token",
    "mark_seen",
    "note_visit",
    "pause_game",
    "plan_vacation",
    "play_computers",
    "play_turn",
    "quick_game",
    "read_chat",
    "read_pace",
    "record_turn",
    "recount",
    "recount_person",
    "redeal_hand",
    "rematch",
    "remind",
    "remove_player",
    "renew_link",
    "renew_secret",
    "replace_as_staff",
    "resign_game",
    "resolve_again",
    "resolve_turn",
    "resume_game",
    "retire_starship",
    "revoke_own_token",
    "revoke_token",
    "revoke_token_by_id",
    "revoke_tokens",
    "save_draft",
    "save_mission",
    "save_starship",
    "say",
    "see_turn",
    "send_again",
    "send_notice",
    "send_tests",
    "set_ready",
    "set_webhook",
    "start_game",
    "start_mission",
    "stop_mail_of_game",
    "stop_mail_of_lobbies",
    "submit_orders",
    "sweep",
    "take_fate",
    "take_return",
    "take_seat",
    "try_address_again",
    "try_again",
    "try_webhook",
    "use_token",
    "wake_robot",
    "withdraw_invitation",
]
