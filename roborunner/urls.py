"""The root URLs of the site."""

from allauth.mfa.recovery_codes.views import download_recovery_codes
from django.contrib import admin
from django.urls import include, path
from django.views.decorators.http import require_safe

from accounts.pages import (
    AskForPasswordView,
    ConfirmAddressView,
    PasskeyLoginView,
    ProviderReauthenticateView,
    ProviderSignUpView,
    ReauthenticateByPasskeyView,
    SessionsView,
    SetPasswordView,
    SignUpView,
    provider_callback,
    provider_login,
    provider_settings,
    provider_unlink,
    verification_sent,
)

handler429 = "accounts.limits.too_many_requests"  # allauth's answer to too many requests
handler500 = "games.web.pages.server_error_page"

urlpatterns = [
    path("api/", include("games.api_urls")),  # first, since most requests are for it
    path("", include("games.urls")),
    path("", include("accounts.urls")),
    # Replacements for allauth's own.
    path("accounts/signup/", SignUpView.as_view(), name="account_signup"),
    path("accounts/confirm-email/", verification_sent, name="account_email_verification_sent"),
    path("accounts/confirm-email/<str:key>/", ConfirmAddressView.as_view(), name="account_confirm_email"),
    path("accounts/password/reset/", AskForPasswordView.as_view(), name="account_reset_password"),
    path("accounts/password/set/", SetPasswordView.as_view(), name="account_set_password"),
    path("accounts/2fa/webauthn/login/", PasskeyLoginView.as_view(), name="mfa_login_webauthn"),
    path(
        "accounts/2fa/webauthn/reauthenticate/",
        ReauthenticateByPasskeyView.as_view(),
        name="mfa_reauthenticate_webauthn",
    ),
    path(
        "accounts/2fa/recovery-codes/download/",
        require_safe(download_recovery_codes),
        name="mfa_download_recovery_codes",
    ),
    path("accounts/sessions/", SessionsView.as_view(), name="usersessions_list"),
    # Instead of allauth's pages about providers.
    path("accounts/oidc/", provider_settings, name="account_provider"),
    path("accounts/oidc/login/", provider_login, name="account_provider_login"),
    path("accounts/oidc/callback/", provider_callback, name="account_provider_callback"),
    path("accounts/oidc/signup/", ProviderSignUpView.as_view(), name="account_provider_signup"),
    path("accounts/oidc/unlink/", provider_unlink, name="account_provider_unlink"),
    path(
        "accounts/oidc/reauthenticate/",
        ProviderReauthenticateView.as_view(),
        name="account_provider_reauthenticate",
    ),
    path("accounts/", include("allauth.account.urls")),
    path("accounts/2fa/", include("allauth.mfa.urls")),
    path("accounts/sessions/", include("allauth.usersessions.urls")),
    path("admin/", admin.site.urls),
]
