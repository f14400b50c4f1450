"""The games application."""

from django.apps import AppConfig


class GamesConfig(AppConfig):
    name = "games"

    def ready(self) -> None:
        """Register the notifications, history sentences, page panels and hooks of all rooms."""
        from accounts import mail as outbox, sessions
        from games import consequences, panels
        from games.clocks import machine_clock
        from games.films import moments
        from games.notifications import register
        from games.panels import PANELS, SWINGS
        from games.play import lifecycle
        from games.play.pages import console
        from games.work import enqueue

        register()
        panels.register_history()
        lifecycle.hooks = consequences
        console.panels = PANELS
        moments.sources = SWINGS
        outbox.send_soon = enqueue.send_account_mail
        sessions.clock_is_confirmed = machine_clock.is_confirmed_by_all
