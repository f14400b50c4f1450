"""Places on a ladder whose row is held: taking one, losing some, leaving."""

from django.db.models import F

from games.ladders.models import Ladder, Rung
from games.ladders.selectors import size_of


def held_ladder(ruleset: str) -> Ladder:
    """Return the ladder of a ruleset, whose places nobody else changes until the transaction ends."""
    Ladder.objects.bulk_create([Ladder(ruleset=ruleset)], ignore_conflicts=True)
    return Ladder.objects.select_for_update().get(pk=ruleset)


def move(rung: Rung, place: int) -> None:
    """Move a player to another place; all between move by one."""
    others = Rung.objects.filter(ladder=rung.ladder_id)
    if place < rung.place:
        others.filter(place__gte=place, place__lt=rung.place).update(place=F("place") + 1)
    else:
        others.filter(place__gt=rung.place, place__lte=place).update(place=F("place") - 1)
    rung.place = place
    rung.save(update_fields=["place"])


def drop(rung: Rung, places: int) -> None:
    """Have a player lose some places, as far as there are others below."""
    move(rung, min(size_of(rung.ladder_id), rung.place + places))


def remove(rung: Rung) -> None:
    """Take a player off the ladder; all below move up."""
    place, ladder = rung.place, rung.ladder_id
    rung.delete()
    Rung.objects.filter(ladder=ladder, place__gt=place).update(place=F("place") - 1)
