"""Reviews of starships in the admin: those that wait or are hidden."""

from django.contrib import admin
from django.db.models import Q, QuerySet
from django.http import HttpRequest
from django.template.response import TemplateResponse
from django.utils.text import Truncator
from django.utils.translation import gettext_lazy as _

from games.admin.grounds import GroundsForAuthor
from games.dock.models import Review
from games.dock.services import moderation
from games.staff.admin import InterveningAdmin, Question
from games.web.admin import Conditions

HIDE = Question(
    _("Hide this review?"),
    _("It does not count any more, and only its author and staff see it. You can show it again."),
    _("Hide"),
    _("Hidden"),
    moderation.hide_review,
    "review_id",
    GroundsForAuthor,
)
SHOW = Question(
    _("Show this review again?"),
    _("Everyone sees it, and it counts again."),
    _("Show"),
    _("Shown again"),
    moderation.show_review,
    "review_id",
    GroundsForAuthor,
)
RELEASE = Question(
    _("Release this review?"),
    _("It waits because its ship got many reviews within a day. Everyone sees it at once, and it counts."),
    _("Release"),
    _("Released"),
    moderation.release_review,
    "review_id",
    GroundsForAuthor,
)


class State(Conditions):
    """Whether others see it."""

    title = _("state")
    parameter_name = "state"
    conditions = {
        "shown": (_("Shown"), Q(held_until=None, hidden_at=None)),
        "held": (_("Waiting"), Q(held_until__isnull=False)),
        "hidden": (_("Hidden"), Q(hidden_at__isnull=False)),
    }


@admin.register(Review)
class ReviewAdmin(InterveningAdmin):
    """What people say about starships; staff hide it, and release what waits."""

    list_display = [
        "starship",
        "version",
        "author",
        "stars",
        "short_text",
        "written_at",
        "held_until",
        "hidden_at",
    ]
    list_filter = [State, "stars", "written_at"]
    related = ["starship", "revision", "author"]
    search_fields = ["starship__name", "author__robo_name", "text", "answer"]
    search_help_text = _("The ship, the author or the text.")
    links = ("starship__id__exact", "author__id__exact")
    actions = ["hide", "show", "release"]
    fields = [
        *("starship", "version", "author", "stars", "tags", "text", "written_at", "changed_at"),
        *("answer", "answered_at", "held_until", "hidden_at"),
    ]

    @admin.display(description=_("version"), ordering="revision__number")
    def version(self, review: Review) -> int:
        return review.revision.number

    @admin.display(description=_("text"))
    def short_text(self, review: Review) -> str:
        return Truncator(review.text).chars(80)

    def deeds_on(self, request: HttpRequest, object_id: str | None) -> list[tuple[str, str]]:
        """Offer what changes something."""
        review = self.get_object(request, object_id) if object_id else None
        fits = {
            "hide": bool(review and review.hidden_at is None),
            "show": bool(review and review.hidden_at is not None),
            "release": bool(review and review.held_until is not None),
        }
        return [deed for deed in super().deeds_on(request, object_id) if fits.get(deed[0], True)]

    @admin.action(permissions=["act"], description=_("Hide"))
    def hide(self, request: HttpRequest, reviews: QuerySet[Review]) -> TemplateResponse | None:
        return self.intervene(request, reviews, HIDE)

    @admin.action(permissions=["act"], description=_("Show again"))
    def show(self, request: HttpRequest, reviews: QuerySet[Review]) -> TemplateResponse | None:
        return self.intervene(request, reviews, SHOW)

    @admin.action(permissions=["act"], description=_("Release"))
    def release(self, request: HttpRequest, reviews: QuerySet[Review]) -> TemplateResponse | None:
        return self.intervene(request, reviews, RELEASE)
