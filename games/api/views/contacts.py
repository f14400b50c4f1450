"""The players with whom the caller has to do."""

from django.utils import timezone
from rest_framework.request import Request

from accounts.models import User
from games.contacts.models import LONGEST_NOTE
from games.contacts.selectors import ContactsView, ContactView, contact_of, contacts_of
from games.contacts.services import (
    add_housemate,
    block,
    follow,
    remove_housemate,
    unblock,
    unfollow,
    write_note,
)
from games.errors import refuse_guests
from games.web.api import Answered, Values, call, person
from games.web.inputs import Strict, Text


class NoteSerializer(Strict):
    """What I note about a player; nothing deletes the note."""

    text = Text(allow_blank=True, trim_whitespace=False, help_text=f"At most {LONGEST_NOTE} characters.")


@call("GET", "List my people", ContactsView, group="contacts")
def list_contacts(request: Request) -> Answered:
    """Whom I follow and who follows me, whom I have blocked, who lives with me, whom I have a note about."""
    user = person(request)
    refuse_guests(user)
    return contacts_of(user=user, now=timezone.now())


@call("PUT", "Follow a player", ContactView, 409, group="contacts")
def follow_player(request: Request, robo_name: str) -> Answered:
    """They see it. 409 for one whom I have blocked, 403 for one who has blocked me."""
    user = person(request)
    return _of(user, follow(user=user, robo_name=robo_name, now=timezone.now()))


@call("DELETE", "Unfollow a player", ContactView, group="contacts")
def unfollow_player(request: Request, robo_name: str) -> Answered:
    """Answers with what I have to do with them."""
    user = person(request)
    return _of(user, unfollow(user=user, robo_name=robo_name))


@call("PUT", "Block a player", ContactView, 409, group="contacts")
def block_player(request: Request, robo_name: str) -> Answered:
    """I see nothing that they write in chats, and they cannot invite or follow me. They are not told."""
    user = person(request)
    return _of(user, block(user=user, robo_name=robo_name, now=timezone.now()))


@call("DELETE", "Unblock a player", ContactView, group="contacts")
def unblock_player(request: Request, robo_name: str) -> Answered:
    """Answers with what I have to do with them."""
    user = person(request)
    return _of(user, unblock(user=user, robo_name=robo_name))


@call("PUT", "Say that a player lives with me", ContactView, 409, group="contacts")
def add_player_housemate(request: Request, robo_name: str) -> Answered:
    """They see it. Once both have said so, we play no rated games with each other that begin later."""
    user = person(request)
    return _of(user, add_housemate(user=user, robo_name=robo_name, now=timezone.now()))


@call("DELETE", "Take back that a player lives with me", ContactView, group="contacts")
def remove_player_housemate(request: Request, robo_name: str) -> Answered:
    """Answers with what I have to do with them."""
    user = person(request)
    return _of(user, remove_housemate(user=user, robo_name=robo_name))


@call(
    "PUT",
    "Note something about a player",
    ContactView,
    409,
    422,
    takes=NoteSerializer,
    example={"text": "Fast."},
    group="contacts",
)
def write_player_note(request: Request, robo_name: str, asked: Values) -> Answered:
    """In place of what I noted before. No one else reads it."""
    user = person(request)
    return _of(user, write_note(user=user, robo_name=robo_name, now=timezone.now(), **asked))


def _of(user: User, other: User) -> ContactView:
    return contact_of(user=user, person=other, now=timezone.now())
