"""A game against computers, with one click."""

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.http import require_http_methods

from games import services
from games.errors import ServiceError
from games.lobby_forms import QuickForm
from games.views.requests import for_people, sign_in_first, user_of


@require_http_methods(["GET", "HEAD", "POST"])
@for_people
def quick(request: HttpRequest) -> HttpResponse:
    """Start a game against computers; what is not asked for is chosen."""
    if not request.user.is_authenticated:
        return sign_in_first(reverse("games:quick"))
    if request.method != "POST":
        return render(request, "games/quick.html", {"form": QuickForm()})
    status = 422
    form = QuickForm({**QuickForm.usual(), **request.POST.dict()})
    if form.is_valid():
        try:
            game = services.quick_game(user=user_of(request), **form.cleaned_data, now=timezone.now())
        except ServiceError as refusal:
            form.add_error(None, refusal.detail)
            status = refusal.status
        else:
            messages.success(request, "Your robot is ready to start, and so are the computers.")
            return redirect("games:game", game.pk)
    return render(request, "games/quick.html", {"form": form}, status=status)
