"""Admin pages for reported starships and reviews, for staff decisions about them, and for all reviews."""

from django.contrib import admin
from django.db.models import Q, QuerySet
from django.http import HttpRequest
from django.template.response import TemplateResponse
from django.urls import reverse
from django.utils.formats import date_format
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString, mark_safe
from django.utils.text import Truncator
from django.utils.translation import gettext, gettext_lazy as _

from games.dock.models import Review
from games.moderation.admin.cases import CaseState
from games.moderation.admin.questions import GroundsForAuthor, GroundsForBuilder, GroundsForStaff
from games.moderation.models import Moderation, Reason, ShipCase
from games.moderation.selectors import decisions_in, ship_cases_for
from games.moderation.services import takedown
from games.staff.admin import InterveningAdmin, Question
from games.web.admin import Conditions, row_link, staff_of

# --- Reports ------------------------------------------------------------------------------------------------


TAKE_DOWN = Question(
    _("Take this down?"),
    _(
        "A ship is hidden, and running games on it continue. A shared ship loses its link. A review is"
        " hidden. All reports about it are closed. You can restore it later."
    ),
    _("Take down"),
    _("Taken down"),
    takedown.take_down_reported,
    "case_id",
    GroundsForBuilder,
)
DISMISS = Question(
    _("Dismiss the reports?"),
    _("Nothing changes, and all reports about it are closed."),
    _("Dismiss"),
    _("Dismissed"),
    takedown.dismiss_reports,
    "case_id",
    GroundsForStaff,
)
RESTORE = Question(
    _("Restore it?"),
    _("A ship returns to its bay or the library, or can be shared again. A review is shown again."),
    _("Restore"),
    _("Restored"),
    takedown.restore,
    "moderation_id",
    GroundsForBuilder,
)


class ReportReason(Conditions):
    """Filters cases by the reasons that players chose in their reports."""

    title = _("reason")
    parameter_name = "reason"
    conditions = {each.value: (each.label, Q(reports__reason=each)) for each in Reason}

    def queryset(self, request: HttpRequest, rows: QuerySet[ShipCase]) -> QuerySet[ShipCase]:
        """Return each case once, even if several of its reports have the chosen reason."""
        return rows.filter(pk__in=super().queryset(request, rows).order_by().values("pk"))


@admin.register(ShipCase)
class ShipCaseAdmin(InterveningAdmin):
    """Cases of reported ships and reviews. Staff take the ship or review down, or dismiss the reports."""

    list_display = ["opened_at", "thing", "builder", "last_report", "number", "decided_at", "dismissed"]
    list_filter = [CaseState, ReportReason, "dismissed", "opened_at"]
    related = ["starship__owner", "draft__user", "review__starship", "review__author"]
    search_fields = ["starship__name", "draft__name", "review__starship__name"]
    search_fields += ["reports__reporter__robo_name", "reports__text"]
    search_help_text = _("Search by ship, reporter or text.")
    actions = ["take_down", "dismiss"]
    fields = ["thing", "builder", "look", "said", "all_reports", "decided_at", "dismissed", "decisions"]

    def get_queryset(self, request: HttpRequest) -> QuerySet[ShipCase]:
        """Leave out cases about the reader's own ships and reviews."""
        known = ship_cases_for(staff_of(request)).order_by().values("pk")
        return super().get_queryset(request).filter(pk__in=known).prefetch_related("reports__reporter")

    def actions_on(self, request: HttpRequest, object_id: str | None) -> list[tuple[str, str]]:
        """Return the actions for a case, or none if the case is decided."""
        case = self.get_object(request, object_id) if object_id else None
        return super().actions_on(request, object_id) if case and case.decided_at is None else []

    @admin.display(description=_("reported"))
    def thing(self, case: ShipCase) -> str:
        if case.review:
            return gettext("a review of {ship}").format(ship=case.review.starship.name)
        if case.draft:
            return gettext("{ship}, shared by link").format(ship=case.draft.name)
        return case.starship.name if case.starship else ""

    @admin.display(description=_("built or written by"))
    def builder(self, case: ShipCase) -> str:
        """Return the Robo Name of the ship's builder or the review's author."""
        person = (
            (case.starship and case.starship.owner)
            or (case.draft and case.draft.user)
            or (case.review and case.review.author)
        )
        return person.robo_name if person else ""

    @admin.display(description=_("page"))
    def look(self, case: ShipCase) -> SafeString | str:
        """Return a link to the public page of the ship or review, or a note if its link no longer works."""
        if case.review:
            address = reverse("starships:reviews", args=[case.review.starship_id])
            address = f"{address}#review-{case.review_id}"
        elif case.draft:
            if not case.draft.link_token:
                return gettext("The link no longer works.")
            address = reverse("shipyard:shared", args=[case.draft.link_token])
        else:
            address = reverse("starships:detail", args=[case.starship_id])
        return format_html('<a href="{}">{}</a>', address, gettext("View its page"))

    @admin.display(description=_("text"))
    def said(self, case: ShipCase) -> str:
        """Return the text of the reported review, or the story of the reported ship."""
        if case.review:
            return case.review.text or self.get_empty_value_display()
        board = case.draft or (case.starship and case.starship.current)
        return (board.document["description"] if board else "") or self.get_empty_value_display()

    @admin.display(description=_("last report"))
    def last_report(self, case: ShipCase) -> str:
        report = next(iter(case.reports.all()), None)
        if report is None:
            return self.get_empty_value_display()
        return Truncator(f"{report.reporter}: {report.get_reason_display()} {report.text}").chars(100)

    @admin.display(description=_("reports"))
    def number(self, case: ShipCase) -> int:
        return len(case.reports.all())

    @admin.display(description=_("reports"))
    def all_reports(self, case: ShipCase) -> SafeString:
        """List the reports of a case, each with its time, reporter, reason and text."""
        rows = (
            (date_format(each.at, "DATETIME_FORMAT"), each.reporter, each.get_reason_display(), each.text)
            for each in case.reports.all()
        )
        return format_html_join(mark_safe("<br>"), "{}, {}: <b>{}</b> {}", rows)

    @admin.display(description=_("decisions"))
    def decisions(self, case: ShipCase) -> SafeString | str:
        """List the earlier staff decisions about the ship or review of a case."""
        rows = [
            (
                row_link(each, date_format(each.at, "DATETIME_FORMAT")),
                each.by,
                each.get_action_display(),
                each.reason,
            )
            for each in decisions_in(case)
        ]
        if not rows:
            return gettext("None yet.")
        return format_html_join(mark_safe("<br>"), "{}, {}: <b>{}</b> {}", rows)

    @admin.action(permissions=["act"], description=_("Take down"))
    def take_down(self, request: HttpRequest, cases: QuerySet[ShipCase]) -> TemplateResponse | None:
        return self.intervene(request, cases, TAKE_DOWN)

    @admin.action(permissions=["act"], description=_("Dismiss"))
    def dismiss(self, request: HttpRequest, cases: QuerySet[ShipCase]) -> TemplateResponse | None:
        return self.intervene(request, cases, DISMISS)

    def named(self, row: ShipCase) -> str:
        return self.thing(row)


@admin.register(Moderation)
class ModerationAdmin(InterveningAdmin):
    """Staff decisions about ships and reviews. They cannot be edited, but staff can undo takedowns here."""

    list_display = ["at", "about", "action", "reason", "by"]
    list_filter = ["action", "at"]
    related = ["starship", "draft", "review__starship", "by"]
    search_fields = ["starship__name", "draft__name", "by__robo_name", "reason"]
    search_help_text = _("Search by ship, member of staff or reason.")
    actions = ["restore"]
    fields = ["at", "about", "action", "reason", "by"]

    def actions_on(self, request: HttpRequest, object_id: str | None) -> list[tuple[str, str]]:
        """Return the action to restore a ship, or none if the ship is not taken down now."""
        done = self.get_object(request, object_id) if object_id else None
        ship = done and (done.draft or done.starship)
        fits = done and done.action == Moderation.Action.TAKE_DOWN and ship and ship.taken_down_at
        return super().actions_on(request, object_id) if fits else []

    @admin.display(description=_("about"))
    def about(self, done: Moderation) -> SafeString | str:
        if done.review:
            return row_link(done.review, gettext("a review of {ship}").format(ship=done.review.starship.name))
        if done.draft:
            return gettext("{ship}, shared by link").format(ship=done.draft.name)
        return row_link(done.starship) if done.starship else self.get_empty_value_display()

    @admin.action(permissions=["act"], description=_("Restore"))
    def restore(self, request: HttpRequest, done: QuerySet[Moderation]) -> TemplateResponse | None:
        return self.intervene(request, done, RESTORE)


# --- Reviews ------------------------------------------------------------------------------------------------


HIDE = Question(
    _("Hide this review?"),
    _("Only its author and staff will see it, and it won’t count. You can show it again."),
    _("Hide"),
    _("Hidden"),
    takedown.hide_review,
    "review_id",
    GroundsForAuthor,
)
SHOW = Question(
    _("Show this review again?"),
    _("Everyone sees it, and it counts again."),
    _("Show"),
    _("Shown again"),
    takedown.show_review,
    "review_id",
    GroundsForAuthor,
)
RELEASE = Question(
    _("Release this review?"),
    _(
        "It is held because its ship got many reviews within a day. After release, everyone sees it, and"
        " it counts."
    ),
    _("Release"),
    _("Released"),
    takedown.release_review,
    "review_id",
    GroundsForAuthor,
)


class ReviewState(Conditions):
    """Filters reviews by whether they are shown, on hold or hidden."""

    title = _("state")
    parameter_name = "state"
    conditions = {
        "shown": (_("Shown"), Q(held_until=None, hidden_at=None)),
        "held": (_("Waiting"), Q(held_until__isnull=False)),
        "hidden": (_("Hidden"), Q(hidden_at__isnull=False)),
    }


@admin.register(Review)
class ReviewAdmin(InterveningAdmin):
    """Reviews of starships, with actions to hide, show and release them."""

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
    list_filter = [ReviewState, "stars", "written_at"]
    related = ["starship", "revision", "author"]
    search_fields = ["starship__name", "author__robo_name", "text", "answer"]
    search_help_text = _("Search by ship, author or text.")
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

    def actions_on(self, request: HttpRequest, object_id: str | None) -> list[tuple[str, str]]:
        """Return the actions that would change a review in its current state."""
        review = self.get_object(request, object_id) if object_id else None
        fits = {
            "hide": bool(review and review.hidden_at is None),
            "show": bool(review and review.hidden_at is not None),
            "release": bool(review and review.held_until is not None),
        }
        return [deed for deed in super().actions_on(request, object_id) if fits.get(deed[0], True)]

    @admin.action(permissions=["act"], description=_("Hide"))
    def hide(self, request: HttpRequest, reviews: QuerySet[Review]) -> TemplateResponse | None:
        return self.intervene(request, reviews, HIDE)

    @admin.action(permissions=["act"], description=_("Show again"))
    def show(self, request: HttpRequest, reviews: QuerySet[Review]) -> TemplateResponse | None:
        return self.intervene(request, reviews, SHOW)

    @admin.action(permissions=["act"], description=_("Release"))
    def release(self, request: HttpRequest, reviews: QuerySet[Review]) -> TemplateResponse | None:
        return self.intervene(request, reviews, RELEASE)
