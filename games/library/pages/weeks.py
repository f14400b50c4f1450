"""Ships of the week."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from games.library.selectors.weeks import ships_of_weeks
from games.pages import page_of
from games.replicas import may_be_old


@require_safe
@may_be_old()
def weeks(request: HttpRequest) -> HttpResponse:
    """Show the ships of this week and of all before."""
    return render(request, "library/weeks.html", {"page": page_of(request, ships_of_weeks(), size=24)})
