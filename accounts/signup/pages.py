"""The pages of sign-up."""

from allauth.account.internal.flows.email_verification import send_verification_email_to_address
from allauth.account.views import SignupView
from allauth.decorators import rate_limit
from django.contrib import messages
from django.db import IntegrityError
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

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


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
@rate_limit(action="signup")  # type: ignore[untyped-decorator]
def verification_sent(request: HttpRequest) -> HttpResponse:
    """Say that a mail is on its way; send it again, or to the right address, where one has signed up here."""
    waiting = services.waiting(request)
    if request.method == "POST" and waiting is None:
        messages.error(request, _("There is no sign-up to confirm in this browser. Log in or sign up again."))
        return redirect("account_login")
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
        return redirect("account_email_verification_sent")
    address = services.address_of(waiting) if waiting else None
    return render(request, "account/verification_sent.html", {"address": address, "form": form})
