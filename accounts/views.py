"""Sign-up, preferences, and the link that stops mail."""

from allauth.account.views import SignupView
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.db import IntegrityError
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_http_methods

from accounts import services, unsubscribing
from accounts.forms import PreferencesForm, SignUpForm
from accounts.models import User


class SignUpView(SignupView):  # type: ignore[misc]
    """Sign-up, also when two people want one name in the same instant."""

    def form_valid(self, form: SignUpForm) -> HttpResponse:
        """Make the account, or show what is wrong with the form by now."""
        answer: HttpResponse
        try:
            answer = super().form_valid(form)
        except IntegrityError:
            form.full_clean()  # whoever was quicker can be seen now
            answer = super().form_valid(form) if form.is_valid() else self.form_invalid(form)
        return answer


@login_required
def preferences(request: HttpRequest) -> HttpResponse:
    """Time zone, mail and the way to password and address."""
    user = request.user
    assert isinstance(user, User)
    form = PreferencesForm(request.POST or None, instance=user)
    if form.is_valid():
        services.change_preferences(user=user, **form.cleaned_data)
        messages.success(request, "Your preferences are kept.")
        return redirect("accounts:preferences")
    return render(request, "account/preferences.html", {"form": form})


@csrf_exempt  # mail programs post without a cookie; the signature in the address is what counts
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def unsubscribe(request: HttpRequest, token: str) -> HttpResponse:
    """Ask whether mail about turns should stop; on POST stop it."""
    person = unsubscribing.user_of(token)
    if person is None:
        return render(request, "account/unsubscribe_unknown.html", status=404)
    if request.method == "POST":
        services.stop_turn_mail(user=person)
    return render(request, "account/unsubscribe.html", {"person": person})
