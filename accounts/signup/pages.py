"""The pages of sign-up."""

from typing import Any

from allauth.account.internal.flows.email_verification import send_verification_email_to_address
from allauth.account.views import ConfirmEmailView, SignupView
from allauth.decorators import rate_limit
from django.conf import settings
from django.contrib import messages
from django.db import IntegrityError
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render, resolve_url
from django.utils.decorators import method_decorator
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from accounts.onward import NEXT, asked_in, leading_to
from accounts.signup import services
from accounts.signup.forms import CorrectAddressForm, SignUpForm


class SignUpView(SignupView):  # type: ignore[misc]
    """Sign-up, also when two people want one name in the same instant."""

    def form_valid(self, form: SignUpForm) -> HttpResponse:
        """Make the account, or show what is wrong with the form by now."""
        answer: HttpResponse
        try:
            answer = super().form_valid(form)
        except IntegrityError:
            form.full_clean()  # the name is seen to be taken now
            answer = super().form_valid(form) if form.is_valid() else self.form_invalid(form)
        return answer


@method_decorator(never_cache, name="dispatch")
class ConfirmAddressView(ConfirmEmailView):  # type: ignore[misc]
    """Confirmation of an address by the link of a mail, in any browser."""

    def post(self, *args: Any, **kwargs: Any) -> HttpResponse:
        """Confirm the address, or say why the link does not."""
        answer: HttpResponse
        try:
            answer = super().post(*args, **kwargs)
        except Http404:
            self.object = None
            context = self.get_context_data()
            answer = self.render_to_response(context, status=200 if context["confirmed"] else 404)
        return answer

    def get_context_data(self, **kwargs: Any) -> dict[str, Any]:
        """Add the address that the link has confirmed before, for its owner: only they have the link."""
        context: dict[str, Any] = super().get_context_data(**kwargs)
        confirmed = None if self.object else services.confirmed_by(self.kwargs["key"])
        return {**context, "confirmed": confirmed, "onward": asked_in(self.request)}

    def get_redirect_url(self) -> str:
        """Lead on to the page that the person was on when they signed up; first to log in, if need be."""
        onward = asked_in(self.request)
        if not self.request.user.is_authenticated:
            return leading_to("account_login", onward)
        return onward or resolve_url(settings.LOGIN_REDIRECT_URL)


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
@rate_limit(action="signup")  # type: ignore[untyped-decorator]
def verification_sent(request: HttpRequest) -> HttpResponse:
    """Say that a mail is on its way; send it again, or to the right address, where one has signed up here."""
    waiting = services.waiting(request)
    onward = asked_in(request)
    if request.method == "POST" and waiting is None:
        messages.error(request, _("There is no sign-up to confirm in this browser. Log in or sign up again."))
        return redirect(leading_to("account_login", onward))
    typed = services.address_of(waiting) if waiting else None
    form = CorrectAddressForm(
        request.POST if "email" in request.POST else None,
        initial={"email": typed.email} if typed else None,
    )
    if waiting and request.method == "POST" and (not form.is_bound or form.is_valid()):
        if form.is_bound:
            address = services.correct_address(user=waiting, email=form.cleaned_data["email"])
        else:
            address = services.address_of(waiting)
        if address and not send_verification_email_to_address(request, address, signup=True):
            messages.warning(
                request, _("A mail has just been sent there. Wait a minute before you ask for another.")
            )
        return redirect(leading_to("account_email_verification_sent", onward))
    address = services.address_of(waiting) if waiting else None
    context = {
        "address": address,
        "form": form,
        "onward": onward,
        "next_field": NEXT,
        "confirmed": waiting is None and services.was_confirmed(request),
    }
    return render(request, "account/verification_sent.html", context)
