"""The URLs of account pages, without the URLs of allauth."""

from django.urls import path

from accounts import pages
from accounts.pages import end_session, page_settings, profile, unsubscribe

app_name = "accounts"

urlpatterns = [
    path("settings/", page_settings, name="settings"),
    path("settings/profile/", profile, name="profile"),
    path("accounts/sessions/<int:number>/end/", end_session, name="end_session"),
    path("settings/invitations/", pages.invitations, name="invitations"),
    path("settings/invitations/<int:number>/end/", pages.end_invitation, name="end_invitation"),
    path("accounts/waiting/", pages.waiting, name="waiting"),
    path("join/<str:mark>/", pages.join, name="join"),
    path("unsubscribe/<str:mark>/", unsubscribe, name="unsubscribe"),
]
