"""Rulesets and starships."""

from rest_framework.request import Request
from rest_framework.response import Response

import rules
from games.api import documents
from games.api.queries import StarshipsQuery
from games.api.responses.library import RulesetsSerializer, StarshipSerializer, StarshipsSerializer
from games.api.schema import describe
from games.api.views.base import PublicCall, query
from games.fleet.selectors.starships import starship_for, starships


class Rulesets(PublicCall):
    """``GET rulesets``."""

    @describe("list_rulesets", "List rulesets", RulesetsSerializer, tag="library")
    def get(self, request: Request) -> Response:
        """Rulesets with options, defaults and steps."""
        return Response({"results": [documents.of_ruleset(ruleset) for ruleset in rules.RULESETS.values()]})


class Starships(PublicCall):
    """``GET starships``."""

    @describe(
        "list_starships", "List starships", StarshipsSerializer, 400, query=StarshipsQuery, tag="library"
    )
    def get(self, request: Request) -> Response:
        """The library: starships offered for new games, section by section."""
        ships = starships(**query(request, StarshipsQuery))
        return Response({"results": [documents.of_listed_starship(ship) for ship in ships]})


class OneStarship(PublicCall):
    """``GET starships/{id}``."""

    @describe("get_starship", "Get a starship", StarshipSerializer, 404, tag="library")
    def get(self, request: Request, starship_id: int) -> Response:
        """One starship with its `starship/1` document."""
        return Response(documents.of_starship(starship_for(starship_id=starship_id)))
