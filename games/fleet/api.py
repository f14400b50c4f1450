"""The API of rulesets, starships, favourites and lists of starships."""

from datetime import date, datetime
from typing import Annotated, Final, NotRequired, TypedDict

from django.utils import timezone
from rest_framework.request import Request
from rest_framework.response import Response

import rules
from accounts.models import User
from games.dock.models import Prototype
from games.dock.reviews import RatingView, rating_view
from games.dock.selectors import parent_in_library, prototype_facts
from games.errors import COUNT_FROM_1, Shape, view_of_row
from games.fleet import lists, selectors, services
from games.fleet.figures import Record, length_of, record_of, ships_of_weeks
from games.fleet.inputs import NewStarshipList, StarshipListChanges
from games.fleet.models import Starship, StarshipList
from games.fleet.search import CLASSES, class_of, facts_of, search
from games.play.api import URL
from games.play.game_view import OptionValues
from games.shipyard.selectors import NOINDEX_HEADER
from games.web.answers import Checks
from games.web.api import Answered, Values, call, person
from games.web.queries import StarshipListsQuery, StarshipsQuery, numbered
from rules.rulebook import PARTS, clauses_of
from rules.state import MODELS

STARSHIPS_PER_PAGE: Final = 24
"""The default number of starships per page."""


class RangeView(TypedDict):
    """A minimum and a maximum number of players."""

    least: int
    most: int


class OptionView(TypedDict):
    """An option of a game, chosen by its host."""

    key: str
    type: Annotated[str, ("integer", "boolean")]
    default: Annotated[int | bool, Shape({"type": ["integer", "boolean"]})]
    least: int | None
    most: int | None
    text: str


class StepView(TypedDict):
    """A step of a turn, as one paragraph of the rulebook."""

    part: Annotated[str, tuple(part for part, _ in PARTS), "The step's part of the turn."]
    name: str
    clauses: list[str]
    text: str


class ModelView(TypedDict):
    """A robot's model."""

    key: str
    text: Annotated[str, "The special rules of the model."]


class CheckpointsView(TypedDict):
    """The limits for the number of checkpoints on a board."""

    least: int
    most: int
    set: Annotated[bool, "Whether the host may set the checkpoints."]


class RulesetView(TypedDict):
    """A ruleset with its options, and the steps of a turn in order."""

    key: str
    name: str
    version: int
    summary: str
    seats: RangeView
    options: list[OptionView]
    defaults: Annotated[OptionValues, "All options with their defaults, as `POST games` takes them."]
    house_rules: Annotated[list[OptionView], "Changes to the rulebook that the host can choose."]
    squads: Annotated[list[str], "The keys of the squads. Empty in most rulesets."]
    models: Annotated[list[ModelView], "The robot models. Empty in most rulesets."]
    boards: Annotated[int, "The maximum number of joined boards."]
    cells: Annotated[int, "The maximum number of cells of a board."]
    sets_start: Annotated[bool, "Whether the host may choose the start cell."]
    checkpoints: CheckpointsView
    orders: Annotated[list[str], "Orders besides the registers."]
    steps: list[StepView]


class RulesetsView(TypedDict):
    """All rulesets."""

    results: list[RulesetView]


ClassView = TypedDict(
    "ClassView", {"class": Annotated[str, tuple(each.key for each in CLASSES), "The class, by `cells`."]}
)


class ListedStarshipView(ClassView):
    """A starship of the library."""

    id: int
    slug: str
    name: str
    builder: str
    description: str
    section: Annotated[str, Starship.Section]
    rulesets: Annotated[list[str], "The keys of the rulesets that the starship suits."]
    seats: Annotated[RangeView, "The recommended number of players."]
    width: int
    height: int
    cells: Annotated[int, "The number of cells, except space."]
    elements: Annotated[list[str], "The elements on board, with the names in `GET starships?elements=`."]
    revision: Annotated[int, "The version of the board, from 1."]
    retired: Annotated[bool, "Whether new games can no longer use it."]


class ParentView(TypedDict):
    """The original of a copied starship, in the library."""

    id: int
    name: str
    revision: int


class PrototypeFactsView(TypedDict):
    """Facts about a starship that is or was a prototype."""

    status: Annotated[str, Prototype.Status]
    ruleset: Annotated[str, "The key of the ruleset that it was drawn for."]
    players: Annotated[int, "The number of players that it was drawn for."]
    licence: Annotated[str, "The licence that its builder agreed to."]
    parent: Annotated[ParentView | None, "The starship that it was copied from, if any."]
    published_at: datetime
    leaves_at: Annotated[datetime | None, "When it leaves its bay, unless people play together on it."]
    ended_at: datetime | None


class StartView(TypedDict):
    """Results of the robots that started on one start cell."""

    column: Annotated[int, COUNT_FROM_1]
    row: Annotated[int, COUNT_FROM_1]
    robots: int
    wins: int


class StarshipRecordView(TypedDict):
    """Figures about finished games on a starship.

    Test flights do not count, and neither do games on several joined boards.
    """

    played: Annotated[int, "Finished games on the starship, except as a prototype."]
    prototype_played: Annotated[int, "Finished games on it as a prototype. No other figure counts them."]
    people: Annotated[int, "The number of people who have played on it."]
    among_people: Annotated[int, "Finished games of two or more people. The figures below are about these."]
    median: Annotated[int | None, "The median length in turns. Null without such games."]
    shortest: int | None
    longest: int | None
    starts: Annotated[list[StartView], "Results by start cell. Empty if all robots share a start cell."]


class GameLengthView(TypedDict):
    """The typical length of games on a starship. The filter `GET starships?length=` uses it too."""

    turns: int
    played: Annotated[bool, "Whether the length comes from games of people. Otherwise it is an estimate."]


class StarshipView(ListedStarshipView):
    """A starship with its board and its record."""

    record: Annotated[StarshipRecordView | None, "Null until a game on it is over."]
    length: Annotated[GameLengthView | None, "Null if unknown."]
    rating: RatingView
    prototype: Annotated[PrototypeFactsView | None, "Null if the starship never was a prototype."]

    unsuitable: Annotated[
        dict[str, list[str]], "The reasons, by the key of each ruleset that the starship does not suit."
    ]
    document: selectors.StarshipDocument


class StarshipsView(TypedDict):
    """Offered starships. Only paginated responses have `count`, `next` and `previous`."""

    results: list[ListedStarshipView]
    count: NotRequired[Annotated[int, "The number of results on all pages."]]
    next: NotRequired[Annotated[str | None, URL, "The URL of the next page. Null on the last page."]]
    previous: NotRequired[Annotated[str | None, URL, "The URL of the previous page. Null on the first page."]]


@call("GET", "List rulesets", RulesetsView, strangers=True, group="library")
def list_rulesets(request: Request) -> Answered:
    """Returns all rulesets, with their options, defaults and steps."""
    return {"results": [_ruleset(ruleset) for ruleset in rules.RULESETS.values()]}


@call(
    "GET",
    "List starships",
    StarshipsView,
    query=StarshipsQuery,
    strangers=True,
    replica_ok=bool,
    group="library",
)
def list_starships(request: Request, asked: Values) -> Answered:
    """Returns the starships offered for new games. By default, they are sorted by section."""
    page, limit = asked.pop("page", None), asked.pop("limit", None)
    found = search(text=asked.pop("q"), starship_class=asked.pop("class", None), **asked)
    if page is None and limit is None:
        return {"results": [listed(ship) for ship in found]}
    rows, page_info = numbered(request, found, page=page or 1, limit=limit or STARSHIPS_PER_PAGE)
    return {**page_info, "results": [listed(ship) for ship in rows]}


@call("GET", "Get a starship", StarshipView, 410, strangers=True, replica_ok=bool, group="library")
def get_starship(request: Request, starship_id: int) -> Answered:
    """Returns a starship, with its board as a `starship/1` document."""
    ship = selectors.starship_for(starship_id=starship_id)
    assert ship.current
    record = record_of(starship_id)
    length = length_of(ship, record)
    return {
        **listed(ship),
        "record": None if record is None else _record(record),
        "length": None if length is None else view_of_row(GameLengthView, length),
        "rating": rating_view(starship=ship),
        "prototype": _prototype(ship),
        "unsuitable": selectors.unsuitable_of(starship=ship),
        "document": {**ship.current.document, "builder": ship.builder},
    }


NUMBER: Final = Shape({"type": "number"})


class StarshipWeekView(TypedDict):
    """A ship of the week."""

    week: Annotated[date, "The Monday of the week, in UTC."]
    starship: Annotated[int, "The `id` of the starship."]
    name: str
    stars: Annotated[float | None, NUMBER, "The stars at that time. Null if too few players had rated it."]
    before: Annotated[date | None, "The last week before in which it was chosen, if any."]


class StarshipWeeksView(TypedDict):
    """Ships of the week, the latest first."""

    results: list[StarshipWeekView]


@call("GET", "List ships of the week", StarshipWeeksView, strangers=True, replica_ok=bool, group="library")
def list_ships_of_the_week(request: Request) -> Answered:
    """Returns the ships of the week. A fixed rule chooses one every Monday."""
    return {
        "results": [
            view_of_row(
                StarshipWeekView,
                each,
                starship=each.starship_id,
                name=each.starship.name,
                stars=None if each.stars is None else float(each.stars),
            )
            for each in ships_of_weeks()
        ]
    }


class FavouritesView(TypedDict):
    """Your favourite starships, the most recently added first. Retired ships are included."""

    results: list[ListedStarshipView]
    most: Annotated[int, "The maximum number of your favourites."]


@call("GET", "List your favourites", FavouritesView, group="library")
def list_favourites(request: Request) -> Answered:
    """Returns your favourite starships."""
    return _favourites(person(request))


@call("PUT", "Add a favourite", FavouritesView, 409, 410, group="library")
def add_favourite(request: Request, starship_id: int) -> Answered:
    """Adds a starship to your favourites. Does nothing if it is already there.

    Returns all your favourites."""
    services.add_favourite(user=person(request), starship_id=starship_id, now=timezone.now())
    return _favourites(person(request))


@call("DELETE", "Remove a favourite", FavouritesView, group="library")
def remove_favourite(request: Request, starship_id: int) -> Answered:
    """Removes a starship from your favourites. Returns your other favourites."""
    services.remove_favourite(user=person(request), starship_id=starship_id)
    return _favourites(person(request))


def _favourites(user: User) -> FavouritesView:
    found = [listed(ship) for ship in selectors.favourites_of(user=user)]
    return {"results": found, "most": selectors.MOST_FAVOURITES}


def _ruleset(ruleset: rules.Ruleset) -> RulesetView:
    least, most = ruleset.checkpoints
    return view_of_row(
        RulesetView,
        ruleset,
        seats=_range(*ruleset.seats),
        options=[_option(option) for option in ruleset.options],
        defaults={option.key: option.default for option in ruleset.options},
        house_rules=[_option(option) for option in ruleset.house_rules],
        models=[{"key": key, "text": MODELS[key]} for key in ruleset.models],
        checkpoints={"least": least, "most": most, "set": ruleset.sets_checkpoints},
        orders=sorted(ruleset.orders),
        steps=[
            {"part": part, "name": step.name, "clauses": clauses_of(ruleset, step), "text": step.text}
            for part, _ in PARTS
            for step in getattr(ruleset, part)
        ],
    )


def _option(option: rules.Option) -> OptionView:
    if option.yes_or_no:
        return view_of_row(OptionView, option, type="boolean", least=None, most=None)
    return view_of_row(OptionView, option, type="integer")


def _prototype(starship: Starship) -> PrototypeFactsView | None:
    prototype = prototype_facts(starship=starship)
    if prototype is None:
        return None
    parent = parent_in_library(prototype)
    parent_view: ParentView | None = None
    if parent is not None:
        parent_view = {"id": parent.starship_id, "name": parent.starship.name, "revision": parent.number}
    return view_of_row(PrototypeFactsView, prototype, parent=parent_view)


def _record(record: Record) -> StarshipRecordView:
    figures = record.figures
    some = figures.among_people > 0
    return view_of_row(
        StarshipRecordView,
        figures,
        shortest=record.shortest if some else None,
        longest=record.longest if some else None,
        starts=[view_of_row(StartView, each) for each in record.starts],
    )


def _range(least: int, most: int) -> RangeView:
    return {"least": least, "most": most}


def listed(starship: Starship) -> ListedStarshipView:
    """Return a starship as an entry of an API list. Its current revision must be loaded."""
    revision, facts = starship.current, facts_of(starship=starship)
    assert revision
    return view_of_row(
        ListedStarshipView,
        starship,
        description=revision.document["description"],
        rulesets=[key for key in rules.RULESETS if key in facts.rulesets],
        seats=_range(starship.seats_least, starship.seats_most),
        width=revision.width,
        height=revision.height,
        cells=facts.cells,
        elements=facts.elements,
        revision=revision.number,
        **{"class": class_of(facts.cells).key},
    )


# --- Lists --------------------------------------------------------------------------------------------------


class StarshipListsView(TypedDict):
    """A page of public lists."""

    count: Annotated[int, "The number of results on all pages."]
    next: Annotated[str | None, URL, "The URL of the next page. Null on the last page."]
    previous: Annotated[str | None, URL, "The URL of the previous page. Null on the first page."]
    results: list[lists.StarshipListFacts]


class MyStarshipListsView(TypedDict):
    """Your lists, the most recently changed first."""

    results: list[lists.StarshipListFacts]
    most: Annotated[int, "The maximum number of your lists."]


class StarshipListView(lists.StarshipListFacts):
    """A list with its ships, including retired ships."""

    link: Annotated[str | None, "The secret of its link. Only for your own lists that a link opens."]
    starships: Annotated[list[ListedStarshipView], "The ships, in the order of the list."]


@call(
    "GET",
    "List lists of starships",
    StarshipListsView,
    query=StarshipListsQuery,
    strangers=True,
    replica_ok=bool,
    group="lists",
)
def list_starship_lists(request: Request, asked: Values) -> Answered:
    """Returns public lists of starships. Empty lists are left out."""
    found = lists.public_lists(text=asked["q"], sort=asked["sort"])
    rows, page_info = numbered(request, found, page=asked["page"], limit=asked["limit"])
    return {**page_info, "results": [lists.list_facts(each) for each in lists.counted_lists(rows)]}


@call("GET", "List your lists of starships", MyStarshipListsView, group="lists")
def list_my_starship_lists(request: Request) -> Answered:
    """Returns all your lists of starships, including private ones."""
    found = lists.lists_of(user=person(request))
    return {"results": [lists.list_facts(each) for each in found], "most": lists.MOST_LISTS}


@call(
    "POST",
    "Create a list of starships",
    StarshipListView,
    409,
    422,
    status=201,
    takes=NewStarshipList,
    guests=False,
    example={"name": "For beginners", "seen_by": "everyone", "starships": [4, 6]},
    group="lists",
)
def create_starship_list(request: Request, asked: Values) -> Answered:
    """Creates a list of starships. Your lists must have different names.

    You can have 20 lists with 50 ships each.
    """
    made = lists.create_list(user=person(request), **asked, now=timezone.now())
    return _view(request, made.pk)


@call("GET", "Get a list of starships", StarshipListView, strangers=True, group="lists")
def get_starship_list(request: Request, list_id: int) -> Answered:
    """Returns a public list or one of your own lists, with its ships."""
    return _view(request, list_id)


@call(
    "PATCH",
    "Change a list of starships",
    StarshipListView,
    422,
    takes=StarshipListChanges,
    guests=False,
    example={"starships": [6, 4]},
    group="lists",
)
def update_starship_list(request: Request, list_id: int, asked: Values) -> Answered:
    """Changes a list's name, text, audience, ships or order of ships.

    The list's link stops working if `seen_by` changes from `link` to another value.
    """
    lists.change_list(user=person(request), list_id=list_id, **asked, now=timezone.now())
    return _view(request, list_id)


@call("DELETE", "Delete a list of starships", MyStarshipListsView, group="lists")
def delete_starship_list(request: Request, list_id: int) -> Answered:
    """Deletes one of your lists, but not its ships. Returns your other lists."""
    lists.delete_list(user=person(request), list_id=list_id)
    found = lists.lists_of(user=person(request))
    return {"results": [lists.list_facts(each) for each in found], "most": lists.MOST_LISTS}


@call("POST", "Replace the link of a list", StarshipListView, 409, group="lists")
def create_list_link(request: Request, list_id: int) -> Answered:
    """Replaces the link of one of your lists. The old link stops working."""
    lists.renew_link(user=person(request), list_id=list_id)
    return _view(request, list_id)


@call("PUT", "Add a starship to a list", StarshipListView, 409, group="lists")
def add_to_starship_list(request: Request, list_id: int, starship_id: int) -> Answered:
    """Adds a starship at the end of one of your lists, unless the list already has it."""
    lists.add_to_list(user=person(request), list_id=list_id, starship_id=starship_id, now=timezone.now())
    return _view(request, list_id)


@call("DELETE", "Remove a starship from a list", StarshipListView, group="lists")
def remove_from_starship_list(request: Request, list_id: int, starship_id: int) -> Answered:
    """Removes a starship from one of your lists, if it is there."""
    lists.remove_from_list(user=person(request), list_id=list_id, starship_id=starship_id, now=timezone.now())
    return _view(request, list_id)


@call("GET", "Get a shared list", StarshipListView, strangers=True, throttle_classes=(Checks,), group="lists")
def get_shared_starship_list(request: Request, list_link: str) -> Answered:
    """Returns a list shared by a link, with its ships."""
    made = lists.linked_list(link=list_link)
    return Response(_with_ships(made, link=None), headers=dict([NOINDEX_HEADER]))


def _view(request: Request, list_id: int) -> StarshipListView:
    made = lists.list_for(viewer=request.user, list_id=list_id)
    own = made.user_id == request.user.pk
    return _with_ships(made, link=made.link_token or None if own else None)


def _with_ships(made: StarshipList, *, link: str | None) -> StarshipListView:
    ships = [listed(ship) for ship in lists.ships_in(made)]
    return view_of_row(StarshipListView, made, maker=made.user.robo_name, link=link, starships=ships)
