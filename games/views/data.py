"""What is held about a person, for that person to take along."""

from allauth.account.decorators import reauthentication_required
from django.contrib.auth.decorators import login_required
from django.core.serializers.json import DjangoJSONEncoder
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from games import selectors
from games.views.requests import for_people, user_of


@require_safe
@login_required
@for_people
def data(request: HttpRequest) -> HttpResponse:
    """Say what is held about whoever asks, and let them take it along."""
    return render(request, "account/data.html")


@require_safe
@never_cache
@login_required
@for_people
@reauthentication_required  # type: ignore[untyped-decorator]
def data_file(request: HttpRequest) -> HttpResponse:
    """Answer with all of it as a person/1 document, once they have given their password."""
    document = selectors.held_about(user=user_of(request), now=timezone.now())
    response = JsonResponse(
        document, encoder=DjangoJSONEncoder, json_dumps_params={"ensure_ascii": False, "indent": 1}
    )
    response.headers["Content-Disposition"] = 'attachment; filename="robo-runner-my-data.json"'
    return response
