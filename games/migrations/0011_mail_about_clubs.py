"""Allow notifications about clubs to email addresses, and let notifications of invitations name the club.

Until now, such a notification named the row of the invitation. There had been no public release before this
migration, so the constraints are checked at once.
"""

from django.db import migrations, models
from django.db.models import Q

NOW = "SET CONSTRAINTS ALL IMMEDIATE;"

# In two steps, because the IDs of clubs and of invitations overlap.
NAME_CLUBS = """
DELETE FROM games_notice WHERE kind = 'club-in' AND NOT EXISTS (
    SELECT FROM games_candidate c WHERE c.id = games_notice.about AND c.user_id = games_notice.user_id
);
UPDATE games_notice SET about = -c.club_id FROM games_candidate c
    WHERE kind = 'club-in' AND c.id = games_notice.about;
UPDATE games_notice SET about = -about WHERE kind = 'club-in';
"""

NAME_INVITATIONS = """
DELETE FROM games_notice WHERE kind = 'club-in' AND NOT EXISTS (
    SELECT FROM games_candidate c WHERE c.club_id = games_notice.about AND c.user_id = games_notice.user_id
);
UPDATE games_notice SET about = -c.id FROM games_candidate c
    WHERE kind = 'club-in' AND c.club_id = games_notice.about AND c.user_id = games_notice.user_id;
UPDATE games_notice SET about = -about WHERE kind = 'club-in';
"""

OF_GAMES = Q(game__isnull=False, starship=None, about=None)
OF_PEOPLE = Q(game=None, about__isnull=False, user__isnull=False, turn=0)
OF_CLUBS = Q(game=None, about__isnull=False, starship=None, turn=0)


def of_a_game_or_not(condition: Q) -> models.CheckConstraint:
    return models.CheckConstraint(name="notice_of_a_game_or_not", condition=condition)


class Migration(migrations.Migration):
    dependencies = [("games", "0010_club_mail")]

    operations = [
        migrations.RunSQL(NOW, migrations.RunSQL.noop),
        migrations.RunSQL(NAME_CLUBS, NAME_INVITATIONS),
        migrations.AddConstraint(
            "notice",
            models.UniqueConstraint(
                fields=["email", "about", "kind"],
                name="notice_once_to_an_address_about_a_club",
                condition=Q(game=None) & ~Q(email=""),
            ),
        ),
        migrations.RemoveConstraint("notice", "notice_of_a_game_or_not"),
        migrations.AddConstraint("notice", of_a_game_or_not(OF_GAMES | OF_PEOPLE | OF_CLUBS)),
        migrations.RunSQL("", f"{NOW} DELETE FROM games_notice WHERE email <> '' AND game_id IS NULL"),
    ]
