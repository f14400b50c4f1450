"""What someone who looks at a lobby most likely wants to do next: the one primary button of its page."""

from dataclasses import dataclass
from enum import StrEnum

from games.play.selectors.games import GameView
from games.play.selectors.viewers import Viewer


class NextStep(StrEnum):
    """The next step in a lobby; at most one is offered as the primary button."""

    JOIN = "join"
    READY = "ready"
    COPY_LINK = "copy-link"
    ADD_COMPUTER = "add-computer"
    START = "start"
    WAIT = "wait"


@dataclass(frozen=True, slots=True)
class LobbyStanding:
    """How a lobby stands for one viewer.

    ``ready`` is the viewer's own readiness, ``waiting`` says that another player is not ready yet,
    ``awaited`` that an invitation is not answered yet, ``companions`` that other people have a seat,
    ``computers`` that computers have. ``startable`` says that those who are there could play.
    """

    seated: bool = True
    hosts: bool = False
    free: bool = True
    ready: bool = True
    waiting: bool = False
    awaited: bool = False
    companions: bool = False
    computers: bool = False
    startable: bool = True


def step_of(lobby: LobbyStanding) -> NextStep:
    """Return the next step.

    | who | how the lobby stands | step |
    |---|---|---|
    | without a seat | a seat is free, or none is | join, or wait |
    | with a seat | not ready | ready |
    | a player | ready | wait |
    | the host | seats are free, and only computers have joined | add a computer |
    | the host | seats are free: invited players are awaited, or anybody is welcome | copy the link |
    | the host | full, a player is not ready, or the squads differ | wait |
    | the host | full, and all are ready | start |
    """
    if not lobby.seated:
        return NextStep.JOIN if lobby.free else NextStep.WAIT
    if not lobby.ready:
        return NextStep.READY
    if not lobby.hosts:
        return NextStep.WAIT
    if lobby.free:
        alone_with_computers = lobby.computers and not lobby.companions and not lobby.awaited
        return NextStep.ADD_COMPUTER if alone_with_computers else NextStep.COPY_LINK
    return NextStep.START if lobby.startable and not lobby.waiting else NextStep.WAIT


def lobby_step(*, viewer: Viewer, host_id: int, seen: GameView, startable: bool) -> NextStep:
    """Return the next step of a viewer, from what they see of a lobby (`game_view`)."""
    mine = seen.me.seat if seen.me else None
    others = [seat for seat in seen.seats if seat.seat != mine]
    return step_of(
        LobbyStanding(
            seated=mine is not None,
            hosts=viewer.pk == host_id,
            free=len(seen.seats) < seen.seats_total,
            ready=all(seat.ready for seat in seen.seats if seat.seat == mine),
            waiting=not all(seat.ready for seat in others),
            awaited=any(each.answer == "pending" for each in seen.invitations),
            companions=any(not seat.computer for seat in others),
            computers=any(seat.computer for seat in others),
            startable=startable,
        )
    )
