from django.contrib.postgres.indexes import GinIndex
from django.contrib.postgres.operations import AddIndexConcurrently, RemoveIndexConcurrently
from django.contrib.postgres.search import SearchVector
from django.db import migrations, models
from django.db.models import Expression, F, FloatField, Q
from django.db.models.functions import Cast

EACH_GAME = {
    "champion": ("won",),
    "navigator": ("checkpoints",),
    "ace_gunner": ("damage_dealt",),
    "demolisher": ("destroyed",),
    "bumper": ("pushed",),
    "survivor": ("deaths",),
    "hull_welder": ("repaired",),
    "iron_skin": ("damage_taken",),
    "sprinter": ("forward",),
    "reverse_gear": ("backward",),
    "spinning_top": ("left_turns", "right_turns", "half_turns"),
}
IN_ALL = {
    "rising_star": ("gained",),
    "marathon": ("turns",),
    "good_sport": ("in_time",),
    "test_pilot": ("tested",),
}


def in_order_of(award: str) -> AddIndexConcurrently:
    """Return the index that has the rows of a month in the order of an award."""
    first, *others = (EACH_GAME | IN_ALL)[award]
    total: Expression = Cast(sum((F(column) for column in others), F(first)), FloatField())
    value = total / F("games") if award in EACH_GAME else total
    return AddIndexConcurrently(
        model_name="playermonth",
        index=models.Index(
            F("month"),
            value.asc() if award == "survivor" else value.desc(),
            F("games").desc(),
            F("user"),
            name=f"months_{award}",
            condition=Q(tested__gt=0) if award == "test_pilot" else Q(games__gte=10),
        ),
    )


class Migration(migrations.Migration):
    """Indexes alone, made while the tables are in use: outside of any transaction."""

    atomic = False

    dependencies = [("games", "0094_conduct_log_and_roles")]

    operations = [
        *(in_order_of(award) for award in (*EACH_GAME, *IN_ALL)),
        AddIndexConcurrently(
            model_name="club",
            index=GinIndex(SearchVector("name", config="simple"), name="clubs_by_words"),
        ),
        AddIndexConcurrently(
            model_name="seasonentry",
            index=models.Index(fields=["season", "-joined_at", "-id"], name="season_entries_latest"),
        ),
        AddIndexConcurrently(
            model_name="tournament",
            index=models.Index(fields=["status", "-starts_at", "-id"], name="tournaments_listed", condition=Q(round_days=None)),
        ),
        AddIndexConcurrently(
            model_name="tournament",
            index=models.Index(fields=["-starts_at", "-id"], name="tournaments_latest"),
        ),
        AddIndexConcurrently(
            model_name="tournament",
            index=models.Index(
                fields=["-starts_at", "-id"],
                name="tournaments_over",
                condition=Q(round_days=None, status__in=["finished", "cancelled"]),
            ),
        ),
        RemoveIndexConcurrently(model_name="tournament", name="tournaments_by_status"),
    ]
