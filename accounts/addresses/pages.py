"""The page behind the link that stops mail."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.cache import never_cache
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_http_methods

from accounts.addresses.unsubscription import stop_mail, user_of


@csrf_exempt  # mail programs post without a cookie; the signature in the address is what counts
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def unsubscribe(request: HttpRequest, token: str) -> HttpResponse:
    """Ask whether mail about games should stop; on POST stop it."""
    person = user_of(token)
    if person is None:
        return render(request, "account/unsubscribe_unknown.html", status=404)
    if request.method == "POST":
        stop_mail(user=person)
    return render(request, "account/unsubscribe.html", {"person": person})
