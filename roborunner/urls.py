"""Which application answers which address."""

from django.contrib import admin
from django.urls import include, path

from accounts.views import SignUpView

urlpatterns = [
    path("", include("games.urls")),
    path("", include("accounts.urls")),
    path("accounts/signup/", SignUpView.as_view(), name="account_signup"),  # in place of allauth's own
    path("accounts/", include("allauth.urls")),
    path("admin/", admin.site.urls),
    path("api/", include("games.api.urls")),
]
