"""Addresses of the accounts; those of logging in and out are allauth's, but for sign-up."""

from django.urls import path

from accounts import security_views, views

app_name = "accounts"

urlpatterns = [
    path("settings/", views.settings, name="settings"),
    path("settings/profile/", views.profile, name="profile"),
    path("accounts/sessions/<int:number>/end/", security_views.end_session, name="end_session"),
    path("unsubscribe/<str:token>/", views.unsubscribe, name="unsubscribe"),
]
