"""What releases wrote into histories, for the tests of what becomes of it."""

from games.play.policy import Absence, absence_in_words

WRITTEN = {
    "Alice joined.": "Alice joined.",
    "Bob left.": "Bob left.",
    "Bob is the host now.": "Bob is the host now.",
    "Alice took Pilot Gasket out.": "Alice took Pilot Gasket out.",
    "Alice added Ace Solder, a computer.": "Alice added Ace Solder, a computer.",
    "Alice changed Rookie Sprocket, who is Ace Solder now.": None,
    "Alice changed Rookie Sprocket.": None,
    "Alice renamed the game “Bob left.”.": None,
    "Alice changed the rules to Robo Runner.": None,
    "Alice changed the option “lives” from 3 to 5.": None,
    "Alice changed the option “hull damage” to no.": None,
    "Alice changed the house rule “damage limit” from 10 to 7.": None,
    "Alice changed the seats from 4 to 3.": None,
    "Alice made the game private.": None,
    "Alice made the game public.": None,
    "Alice lets players join who are reliable to 95 % at least.": (
        "Alice lets players join who are reliable to at least 95 %."
    ),
    "Alice lets everybody join.": "Alice lets everyone join.",
    "Alice will start the game by hand.": None,
    "Alice has the game start by itself once it is full and all are ready.": (
        "Alice has the game start once it is full and everyone is ready."
    ),
    "Alice changed the pace to no time limit.": None,
    "Alice changed the pace to 36 hours a turn.": None,
    "Alice changed the pace to 5 minutes a turn (live).": None,
    "Alice changed the pace to daily at 20:00 (America/New York).": None,
    "Alice changed the pace to 3 days a turn, until 08:30 (Europe/Berlin).": None,
    "Alice changed the pace to 3 days in the bank, and 12 hours more each turn.": None,
    "Alice changed the time for a turn to no limit.": "Alice changed the pace to no time limit.",
    "Alice changed the time for a turn to 48 hours.": "Alice changed the pace to 2 days a turn.",
    "Alice changed the board to Great Hall.": None,
    "Alice took the board Hall as it is now.": None,
    "Carol invited somebody by mail.": "Carol invited someone by email.",
    "Carol invited Bob.": None,
    "Bob declined the invitation.": None,
    "Alice made a new link.": None,
    "Alice called the game off.": None,
    "The game was cancelled, since nobody filled it.": "The game was cancelled because it never filled up.",
    "Bob put a hand of turning chips aside.": None,
    "Bob is on vacation, and has a day more.": "Bob is on vacation and has one more day.",
    "The service was away: all clocks have that time back.": (
        "The service was down. All clocks got that time back."
    ),
    "Bob is steered by a Rookie from now on: too many turns were missed.": (
        "A Rookie plays Bob from now on: too many turns were missed."
    ),
    "Bob is back.": None,
    "Dave steers Bob from now on.": "Dave plays Bob from now on.",
    "Bob resigned. A Rookie plays Bob to the end.": None,
    "Bob left. A Rookie plays Bob until somebody takes the seat over.": (
        "Bob left. A Rookie plays Bob until another player takes over the seat."
    ),
    "Bob resigned. The game is over.": None,
    "Bob left. The game is over.": None,
    "The game was called off: 3 turns had no orders.": None,
    "Deleted-7 left for good: a Rookie plays on.": "Deleted-7 left for good. A Rookie plays on.",
    "The game was called off, since nobody is left who plays it.": (
        "The game was called off because no players are left."
    ),
    "Alice put to the vote: Should the game be called off, without a winner?": None,
    "Alice says yes: Should the game pause for 2 days?": None,
    "Bob says no: Should a computer replace Carol from now on?": None,
    "The vote came to nothing: Should the pause end now?": None,
    "Yes, by 3 to 1 of 4: Should the game end now, won by the red squad?": None,
    "No, by 1 to 3 of 4: Shall the game end now, and Bob have won it?": (
        "No, by 1 to 3 of 4: Should the game end now, won by Bob?"
    ),
    "Staff had turn 4 tried again. The worker was out of memory.": None,
    "Staff put the deadline of turn 4 off by 2 days. We were away.": (
        "Staff extended the deadline of turn 4 by 2 days. We were away."
    ),
    "Staff had a computer take over Bob. They asked for it.": None,
    "Staff cancelled the game. It was a test.": None,
    **{
        f"Alice changed what becomes of missed turns: Who misses a turn{written}": (
            f"Alice changed the rule for missed turns. {absence_in_words(absence)}"
        )
        for written, absence in {
            ": chance fills the registers.": Absence(),
            " is replaced by a computer.": Absence("give-up", 0),
            ": a computer plays it, once. Who misses more is replaced by a computer.": Absence("computer", 1),
            ": the player’s standing orders are played, 4 times."
            " Who misses more is replaced by a computer.": Absence("standing", 4),
        }.items()
    },
}
"""Sentences that releases wrote into histories, and how they are told now, where that is otherwise."""

STRANGE = "Somebody did {something} that no release has written"
