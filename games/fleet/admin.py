"""Admin pages, forms and previews of starships and training missions."""

import json
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from django import forms
from django.contrib import admin, messages
from django.contrib.admin.utils import unquote
from django.core.exceptions import PermissionDenied
from django.core.files.uploadedfile import UploadedFile
from django.db.models import Count, Q, QuerySet
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseNotAllowed
from django.shortcuts import redirect
from django.template.response import TemplateResponse
from django.urls import URLPattern, path
from django.utils import timezone
from django.utils.formats import number_format
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext, gettext_lazy as _

import rules
from accounts.admin import RestrictedLookups
from accounts.inputs import GuardedForm, value_checksum
from games.dock.services import save_library_ship
from games.errors import NotFound, ProblemDocument, ServiceError, document_problems, number_in
from games.fleet import boards
from games.fleet.boards import crowding_in, starship_of
from games.fleet.inputs import MissionForm
from games.fleet.missions import save_mission
from games.fleet.models import Mission, Starship, StarshipRevision
from games.fleet.pages.drawings import editor_addresses
from games.fleet.selectors import unsuitable
from games.fleet.services import (
    LAST_POSITION,
    check_document,
    duplicate_starship,
    offer_starship,
    retire_starship,
)
from games.moderation.admin.questions import GroundsForBuilder
from games.moderation.services import takedown
from games.shipyard.models import StarshipDraft
from games.shipyard.selectors import draft_for, problems_in, sketch_of
from games.shipyard.services import USUAL_SIZE, draft_for_staff
from games.staff.admin import ConfirmingAdmin, Question
from games.web.admin import actions_of, staff_of
from games.wording import WORDS
from rules.mending import Fault, faults_of
from rules.sketch import aligned, blank_sketch, read_sketch, write_sketch


def pretty(document: object) -> str:
    """Return a JSON document as indented text. Each row of a starship has its own line."""
    return json.dumps(document, indent=2, ensure_ascii=False)


def starship_text(revision: StarshipRevision) -> str:
    """Return a board as starship/1 text, with ordered keys and aligned columns."""
    return pretty(rules.write_starship(starship_of(revision)))


def draft_text(draft: StarshipDraft) -> str:
    """Return a draft as starship/1 text with aligned columns, even with invalid cells."""
    return pretty({**draft.document, "name": draft.name, "rows": aligned(sketch_of(draft))})


def shown(text: str) -> SafeString:
    return format_html('<pre class="document">{}</pre>', text)


PROBLEMS_LISTED = 500
"""The maximum number of problems to list for a document. Hardly any handmade document has more."""


@dataclass(frozen=True)
class Proof:
    """The result of checking a starship document: its drawing, errors that prevent saving, and warnings.

    A document with notation errors has no drawing. ``suits`` are the names of the rulesets that the starship
    suits. ``others`` are the other rulesets: each with its name, the first reason against it, and the number
    of reasons. ``faults`` are the problems to show in the starship editor, with their fixes.
    """

    drawing: SafeString | None
    errors: list[ProblemDocument]
    warnings: list[ProblemDocument]
    suits: list[str] = field(default_factory=list)
    others: list[tuple[str, str, int]] = field(default_factory=list)
    faults: list[Fault] = field(default_factory=list)

    @property
    def problems(self) -> list[tuple[str, ProblemDocument]]:
        """The listed problems with their severity: errors, then warnings, each sorted by position."""
        found = [("error", problem) for problem in self.errors]
        found += [("warning", problem) for problem in self.warnings]
        return found[:PROBLEMS_LISTED]

    @property
    def faults_as_json(self) -> str:
        """The problems and their fixes as JSON in the shipyard's format, for the starship editor."""
        return json.dumps(problems_in(self.faults))

    @property
    def limit(self) -> int:
        """The maximum number of listed problems."""
        return PROBLEMS_LISTED

    @property
    def is_cut_short(self) -> bool:
        """Whether there are more problems than listed."""
        return len(self.errors) + len(self.warnings) > PROBLEMS_LISTED


def proof_of(text: str) -> Proof:
    """Check a starship/1 document, and return the result. The text may be malformed."""
    try:
        document = rules.parse(text)
    except rules.NotationError as error:
        return Proof(None, document_problems("json", error.problems), [])
    if crowded := crowding_in(document):
        return Proof(None, document_problems("starship", crowded), [])
    report = rules.check_starship(document)
    drawing = None
    if report.starship is not None:
        drawing = SafeString(
            rules.draw(report.starship, theme="page", cell=None, rulers=True, prefix="proof")
        )
    errors, faults = sorted(check_document(document), key=_position), _faults_in(document)
    warnings = [fault.problem for fault in faults if not fault.is_blocking and report.starship is not None]
    proof = Proof(
        drawing, errors, sorted(document_problems("warning", warnings), key=_position), faults=faults
    )
    if report.starship is not None:
        for ruleset in rules.RULESETS.values():
            if reasons := unsuitable(ruleset, report.starship):
                proof.others.append((ruleset.name, str(reasons[0]), len(reasons)))
            else:
                proof.suits.append(ruleset.name)
    return proof


def _faults_in(document: object) -> list[Fault]:
    """Return the faults of a document for the editor, or an empty list if it cannot be drawn."""
    try:
        return faults_of(read_sketch(document))
    except rules.NotationError:
        return []


def _position(problem: ProblemDocument) -> tuple[int, int]:
    return problem.get("row", 0), problem.get("column", 0)


LARGEST_FILE = 1_000_000
"""The maximum size of an uploaded starship file in bytes, or of a typed document in characters.

It is several times the size of the largest board.
"""

TEXT_TOO_LARGE = _("This text is {size} MB, and the limit is 1 MB. Shorten it.")
FILE_TOO_LARGE = _("This file is {size} MB, and the limit is 1 MB. Choose a smaller one.")

BLANK = write_sketch(blank_sketch(USUAL_SIZE, USUAL_SIZE))
"""The document of a new starship. It has the same size as a new draft in the shipyard."""

BUTTONS_WITHOUT_SAVING = {"_preview", "_shipyard"}
"""The names of buttons that submit the form without saving the starship."""


class StarshipForm(GuardedForm, forms.ModelForm):  # type: ignore[type-arg]
    """The form for a starship in the admin. ``refusal`` is the service's error, if there is one.

    ``drafted`` is the text of a shipyard draft to save as a new ship or revision. The text of an uploaded
    file replaces the text in the form. If the form is submitted with one of `BUTTONS_WITHOUT_SAVING`, it is
    never valid.
    """

    refusal: ServiceError | None = None
    drafted: str = ""

    document = forms.CharField(
        strip=False,
        widget=forms.Textarea(
            attrs={
                "rows": 28,
                "wrap": "off",
                "class": "starship-document",
                "spellcheck": "false",
                "autocapitalize": "off",
                "autocomplete": "off",
            }
        ),
        error_messages={"required": _("The document is missing. Write one, or upload a file.")},
        help_text=_("A starship/1 document in JSON."),
    )
    upload = forms.FileField(
        required=False,
        widget=forms.FileInput(attrs={"accept": ".json,application/json"}),
        label=_("Upload"),
        help_text=_("A file with a starship/1 document replaces the text below."),
        error_messages={"empty": _("This file is empty.")},
    )
    position = forms.IntegerField(
        required=False,
        min_value=0,
        max_value=LAST_POSITION,
        help_text=_("Order within the section. If empty, a new starship comes last."),
    )

    class Meta:
        model = Starship
        fields = ["section", "position", "seats_least", "seats_most", "hidden"]

    def __init__(self, data: Any = None, files: Any = None, **more: Any) -> None:
        self.unreadable = ""
        if data is not None and files and (upload := files.get("upload")):
            data = data.copy()
            data["document"] = self._text_of(upload) or data.get("document", "")
        super().__init__(data, files, **more)
        current = self.instance.current if self.instance.pk else None
        self._stored = starship_text(current) if current else pretty(BLANK)
        self.initial["document"] = self.drafted or self._stored
        if current is None:
            self.initial["position"], self.initial["hidden"] = None, True
        elif "hidden" in self.fields:
            self.fields["hidden"].disabled = not self.instance.hidden  # once seen, never hidden

        self.record_shown_values()

    def _marks(self) -> dict[str, str]:
        """Return the checksums of all fields.

        For the document, use the saved text, even if a draft's text is shown.
        """
        stored = getattr(self, "_stored", "")
        return {**super()._marks(), "document": value_checksum(stored)}

    def is_valid(self) -> bool:
        return super().is_valid() and not BUTTONS_WITHOUT_SAVING & self.data.keys()

    @property
    def text(self) -> str:
        return str(self["document"].value() or "")

    def clean_document(self) -> Any:
        """Return the document in the submitted text. Raises ValidationError if it is invalid or too long."""
        text = self.cleaned_data["document"]
        if len(text) > LARGEST_FILE:
            raise forms.ValidationError(TEXT_TOO_LARGE.format(size=number_format(len(text) / 1e6, 1)))
        try:
            return rules.parse(text)
        except rules.NotationError as error:
            raise forms.ValidationError([problem.in_words(WORDS) for problem in error.problems]) from None

    def clean(self) -> Any:
        """Add the service's error, and the problem with the uploaded file, to the errors of the form."""
        super().clean()
        if self.unreadable:
            self.add_error("upload", self.unreadable)
        if self.refusal is not None:
            self.add_error("document", self.refusal.detail)

    def _text_of(self, upload: "UploadedFile[Any]") -> str:
        """Return the text of an uploaded file, with aligned rows, or "" if the file cannot be read."""
        if (upload.size or 0) > LARGEST_FILE:
            self.unreadable = FILE_TOO_LARGE.format(size=number_format((upload.size or 0) / 1e6, 1))
            return ""
        upload.seek(0)
        try:
            text: str = upload.read().decode("utf-8-sig")
        except UnicodeDecodeError:
            self.unreadable = gettext("This file is not UTF-8 text.")
            return ""
        try:
            return pretty(rules.write_starship(rules.read_starship(rules.parse(text))))
        except rules.NotationError:
            return text


GAMES_ON_REVISION = Count("games", filter=Q(games__course=None), distinct=True) + Count(
    "pieces__course", distinct=True
)
"""An SQL expression for the number of games that use a revision as their whole board or as a piece of it."""

TAKE_DOWN = Question(
    _("Take this ship down?"),
    _(
        "This hides the ship. Running games continue. A prototype leaves its bay, and its draft cannot be"
        " shared or published. The name stays taken. You can restore the ship."
    ),
    _("Take down"),
    _("Taken down"),
    takedown.take_down_starship,
    "starship_id",
    GroundsForBuilder,
)
RESTORE = Question(
    _("Restore this ship?"),
    _("The ship returns to its former place. A prototype returns to its bay."),
    _("Restore"),
    _("Restored"),
    takedown.restore_starship,
    "starship_id",
    GroundsForBuilder,
)

PLACE_OF_STARSHIP = ["section", "position", ("seats_least", "seats_most"), "hidden"]


@admin.register(Starship)
class StarshipAdmin(RestrictedLookups, ConfirmingAdmin):
    """The admin of the library. Earlier boards stay stored as revisions, because games refer to them."""

    form = StarshipForm
    change_form_template = "admin/games/starship/change_form.html"
    list_display = ["name", "builder", "section", "position", "seats", "size", "revision", "state"]
    list_filter = ["section", "hidden", "retired"]
    list_select_related = ["current"]
    ordering = ["section", "position", "name"]
    search_fields = ["name", "builder"]
    search_help_text = _("Search by name or builder.")
    actions = ["duplicate", "offer", "retire", "bring_back", "take_down", "restore"]
    save_on_top = False

    def get_queryset(self, request: HttpRequest) -> QuerySet[Starship]:
        return super().get_queryset(request).select_related("current")

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Return False: starships are retired and never deleted, because games refer to them."""
        return False

    def get_view_on_site_url(self, obj: Any = None) -> str | None:
        """Return the URL of the starship's public page, or None if it is hidden."""
        return None if obj is None or obj.hidden else super().get_view_on_site_url(obj)

    def get_fieldsets(self, request: HttpRequest, obj: Starship | None = None) -> Any:
        """Return two groups of fields: the starship's place in the library, and its board.

        The template adds the result of checking the board.
        """
        board = ["upload", "document"] if self._may_save(request, obj) else ["document"]
        return [
            (gettext("Place in the library"), {"fields": PLACE_OF_STARSHIP}),
            (gettext("Board"), {"fields": board}),
        ]

    def get_form(self, request: HttpRequest, obj: Any = None, change: bool = False, **more: Any) -> Any:
        form: Any = super().get_form(request, obj, change, **more)
        form.refusal = getattr(request, "refusal", None)
        draft = getattr(request, "draft", None)
        form.drafted = draft_text(draft) if draft and request.method == "GET" else ""
        return form

    def save_model(self, request: HttpRequest, obj: Starship, form: Any, change: bool) -> None:
        before = obj.current_id
        saved = save_library_ship(
            starship_id=obj.pk,
            document=form.cleaned_data["document"],
            section=form.cleaned_data["section"],
            seats_least=form.cleaned_data["seats_least"],
            seats_most=form.cleaned_data["seats_most"],
            position=form.cleaned_data["position"],
            hidden=form.cleaned_data["hidden"],
            by=staff_of(request),
            now=timezone.now(),
        )
        obj.pk = saved.pk
        obj.refresh_from_db()
        assert obj.current
        if change and obj.current_id == before:
            self.message_user(
                request,
                gettext("The board has not changed. It is still revision {number}.").format(
                    number=obj.current.number
                ),
            )
        elif change:
            number = obj.current.number
            self.message_user(
                request,
                gettext("Saved as revision {number}. Running games keep their revision.").format(
                    number=number
                ),
            )

    def changeform_view(
        self,
        request: HttpRequest,
        object_id: str | None = None,
        form_url: str = "",
        extra_context: dict[str, Any] | None = None,
    ) -> Any:
        """Show or save a starship. If it cannot be saved, show the form again with the reasons."""
        status = 422
        request.draft = self._draft_of(request)  # type: ignore[attr-defined]
        try:
            if drafted := self._to_shipyard(request, object_id):
                return drafted
            page = super().changeform_view(request, object_id, form_url, extra_context)
        except ServiceError as refusal:
            request.refusal = refusal  # type: ignore[attr-defined]
            status = refusal.status
            page = super().changeform_view(request, object_id, form_url, extra_context)
        if request.method == "POST" and isinstance(page, TemplateResponse) and "_preview" not in request.POST:
            page.status_code = status
        return page

    def render_change_form(
        self, request: HttpRequest, context: dict[str, Any], *args: Any, **more: Any
    ) -> Any:
        """Add the result of checking the form's text, and the revisions, to the page."""
        form, starship = context["adminform"].form, context["original"]
        context["proof"] = proof_of(form.text if len(form.text) <= LARGEST_FILE else "")
        context["may_save"] = self._may_save(request, starship)
        context["shipyard"] = editor_addresses()
        context["draft"] = getattr(request, "draft", None)
        context["last_saved"] = self._last_saved_by(request)
        context["actions"] = self._actions_for(request, starship) if starship else []
        if starship is not None:
            revisions = starship.revisions.select_related("saved_by").defer("document")
            context["revisions"] = revisions.annotate(uses=GAMES_ON_REVISION).order_by("-number")
        return super().render_change_form(request, context, *args, **more)

    def get_urls(self) -> list[URLPattern]:
        own: list[tuple[str, Callable[..., HttpResponse]]] = [
            ("preview/", self.preview),
            ("<int:starship_id>/revisions/<int:number>/", self.download),
        ]
        return [
            path(address, self.admin_site.admin_view(view), name=f"games_starship_{view.__name__}")
            for address, view in own
        ] + super().get_urls()

    def preview(self, request: HttpRequest) -> HttpResponse:
        """Check the submitted document, and return the result as an HTML fragment."""
        if request.method != "POST":
            return HttpResponseNotAllowed(["POST"])
        if not (self.has_add_permission(request) or self.has_change_permission(request)):
            raise PermissionDenied
        text = request.POST.get("document", "")
        if len(text) > LARGEST_FILE:
            return HttpResponse(
                gettext("This text is larger than 1 MB."), status=413, content_type="text/plain"
            )
        return TemplateResponse(request, "admin/games/starship/proof.html", {"proof": proof_of(text)})

    def download(self, request: HttpRequest, starship_id: int, number: int) -> HttpResponse:
        """Return a revision as a starship/1 file."""
        if not self.has_view_permission(request):
            raise PermissionDenied
        revision = (
            StarshipRevision.objects.filter(starship=starship_id, number=number)
            .select_related("starship")
            .first()
        )
        if revision is None:
            raise Http404(gettext("This revision does not exist."))
        answer = HttpResponse(f"{starship_text(revision)}\n", content_type="application/json")
        name = f"{revision.starship.slug}-{revision.number}.json"
        answer["Content-Disposition"] = f'attachment; filename="{name}"'
        return answer

    @admin.action(permissions=["add"], description=_("Duplicate"))
    def duplicate(self, request: HttpRequest, starships: QuerySet[Starship]) -> HttpResponse | None:
        """Copy the selected starships. If only one starship is selected, redirect to its copy."""
        copies = []
        for starship in starships:
            now = timezone.now()
            copy = duplicate_starship(starship_id=starship.pk, by=staff_of(request), now=now)
            self.log_addition(request, copy, gettext("A copy of {starship}.").format(starship=starship.name))
            copies.append(copy)
        names = ", ".join(copy.name for copy in copies)
        self.message_user(request, gettext("Copied: {names}.").format(names=names), messages.SUCCESS)
        return redirect("admin:games_starship_change", copies[0].pk) if len(copies) == 1 else None

    @admin.action(permissions=["change"], description=_("Offer to players"))
    def offer(self, request: HttpRequest, starships: QuerySet[Starship]) -> None:
        for starship in starships:
            offer_starship(starship_id=starship.pk, now=timezone.now())
            self.log_change(request, starship, gettext("Available for new games."))
        names = ", ".join(starship.name for starship in starships)
        self.message_user(
            request, gettext("Available for new games: {names}.").format(names=names), messages.SUCCESS
        )

    @admin.action(permissions=["change"], description=_("Retire"))
    def retire(self, request: HttpRequest, starships: QuerySet[Starship]) -> None:
        self._retire(request, starships, retired=True, done=gettext("No longer available for new games"))

    @admin.action(permissions=["change"], description=_("Bring back"))
    def bring_back(self, request: HttpRequest, starships: QuerySet[Starship]) -> None:
        self._retire(request, starships, retired=False, done=gettext("Available for new games again"))

    @admin.action(permissions=["change"], description=_("Take down"))
    def take_down(self, request: HttpRequest, starships: QuerySet[Starship]) -> TemplateResponse | None:
        """Take down ships of builders. The builders are notified with the reason."""
        return self.intervene(request, starships, TAKE_DOWN)

    @admin.action(permissions=["change"], description=_("Restore"))
    def restore(self, request: HttpRequest, starships: QuerySet[Starship]) -> TemplateResponse | None:
        return self.intervene(request, starships, RESTORE)

    def _retire(
        self, request: HttpRequest, starships: QuerySet[Starship], *, retired: bool, done: str
    ) -> None:
        for starship in starships:
            retire_starship(starship_id=starship.pk, retired=retired)
            self.log_change(request, starship, f"{done}.")
        names = ", ".join(starship.name for starship in starships)
        self.message_user(
            request, gettext("{done}: {names}.").format(done=done, names=names), messages.SUCCESS
        )

    @admin.display(description=_("players"))
    def seats(self, starship: Starship) -> str:
        least, most = starship.seats_least, starship.seats_most
        return str(least) if least == most else f"{least} – {most}"

    @admin.display()
    def size(self, starship: Starship) -> str:
        current = starship.current
        return f"{current.width} × {current.height}" if current else ""

    @admin.display()
    def revision(self, starship: Starship) -> str:
        return str(starship.current.number) if starship.current else ""

    @admin.display(description=_("state"))
    def state(self, starship: Starship) -> str:
        if starship.taken_down_at:
            return gettext("Taken down")
        if starship.hidden:
            return gettext("Not offered yet")
        return gettext("Retired") if starship.retired else gettext("Offered")

    def document(self, starship: Starship) -> SafeString | None:
        """The starship document as text, for staff with permission to view but not to change starships."""
        return shown(starship_text(starship.current)) if starship.current else None

    def _actions_for(self, request: HttpRequest, starship: Starship) -> list[tuple[str, str]]:
        """Return the names and labels of the admin actions that would change a starship now."""
        pointless = {"retire" if starship.retired else "bring_back"}
        pointless |= {"retire", "bring_back"} if starship.hidden else {"offer"}
        if starship.owner_id is None:
            pointless |= {"take_down", "restore"}
        else:
            pointless.add("take_down" if starship.taken_down_at else "restore")
        return [(name, words) for name, words in actions_of(self, request) if name not in pointless]

    def _draft_of(self, request: HttpRequest) -> StarshipDraft | None:
        """Return the staff member's draft with the ID in the URL query, or None if there is none."""
        number = number_in(request.GET.get("draft"))
        try:
            return draft_for(viewer=staff_of(request), draft_id=number) if number else None
        except NotFound as refusal:
            self.message_user(request, refusal.detail, messages.ERROR)
            return None

    def _to_shipyard(self, request: HttpRequest, object_id: str | None) -> HttpResponse | None:
        """Create a shipyard draft from the form's text, if staff request it. Return a redirect to the draft.

        Return None if no draft is requested, or if the text is not a document. Raises PermissionDenied, and
        the errors of `draft_for_staff`.
        """
        if request.method != "POST" or "_shipyard" not in request.POST:
            return None
        starship = self.get_object(request, unquote(object_id)) if object_id else None
        if not self._may_save(request, starship):
            raise PermissionDenied
        try:
            document = rules.parse(StarshipForm(request.POST, request.FILES).text)
        except rules.NotationError:
            return None
        draft = draft_for_staff(
            user=staff_of(request),
            starship_id=starship.pk if starship else None,
            document=document,
            now=timezone.now(),
        )
        page = "shipyard:tunnel" if request.POST["_shipyard"] == "tunnel" else "shipyard:draft"
        return redirect(page, draft.pk)

    def _last_saved_by(self, request: HttpRequest) -> int:
        """Return the ID of the last revision saved by the current member of staff, or 0."""
        saved = StarshipRevision.objects.filter(saved_by=staff_of(request)).order_by("pk")
        return saved.values_list("pk", flat=True).last() or 0

    def _may_save(self, request: HttpRequest, starship: Starship | None) -> bool:
        if starship is None:
            return self.has_add_permission(request)
        return self.has_change_permission(request, starship)


PLACE_OF_MISSION = ["title", "slug", "number", "starship"]
LESSON = ["introduction", "goal", "closing", "filled"]


@admin.register(Mission)
class MissionAdmin(RestrictedLookups, admin.ModelAdmin):  # type: ignore[type-arg]
    """The admin of missions.

    If staff have saved a mission, loading missions from a file does not replace it.
    """

    form = MissionForm
    change_form_template = "admin/games/mission/change_form.html"
    list_display = ["number", "title", "starship", "saved_by"]
    list_display_links = ["title"]
    list_select_related = ["starship", "saved_by"]
    ordering = ["number"]
    prepopulated_fields = {"slug": ["title"]}

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Return False: to remove a mission, retire its starship."""
        return False

    def get_fieldsets(self, request: HttpRequest, obj: Mission | None = None) -> Any:
        """Return the fields of a mission and its lesson.

        For staff with permission to view but not to change missions, the lesson is one document.
        """
        if not self._may_save(request, obj):
            return [(None, {"fields": [*PLACE_OF_MISSION, "document"]})]
        return [(None, {"fields": PLACE_OF_MISSION}), (gettext("Lesson"), {"fields": LESSON})]

    def get_readonly_fields(self, request: HttpRequest, obj: Any = None) -> Any:
        if not self._may_save(request, obj):
            return ["document"]
        return ["slug"] if obj else []

    def get_prepopulated_fields(self, request: HttpRequest, obj: Any = None) -> Any:
        """Let the slug of a new mission follow its title. The slugs of existing missions do not change."""
        return {} if obj else self.prepopulated_fields

    def save_model(self, request: HttpRequest, obj: Mission, form: Any, change: bool) -> None:
        asked = {name: getattr(obj, name) for name in MissionForm.Meta.fields}
        given = form.cleaned_data
        saved = save_mission(
            **asked,
            options=given["options"],
            lesson=given["lesson"],
            by=request.user,  # type: ignore[arg-type]
        )
        obj.pk = saved.pk

    def render_change_form(
        self, request: HttpRequest, context: dict[str, Any], *args: Any, **more: Any
    ) -> Any:
        """Add the mission's board with rulers to the page, to find the cells for notes."""
        form = context["adminform"].form
        context["may_save"] = self._may_save(request, context["original"])
        context["board"] = _board(form) if context["may_save"] else None
        return super().render_change_form(request, context, *args, **more)

    @admin.display(description=_("lesson and options"))
    def document(self, mission: Mission) -> SafeString:
        """The lesson and options as text, for staff with permission to view but not to change missions."""
        return shown(pretty({"lesson": mission.lesson, "options": mission.options}))

    def _may_save(self, request: HttpRequest, mission: Mission | None) -> bool:
        if mission is None:
            return self.has_add_permission(request)
        return self.has_change_permission(request, mission)


def _board(form: MissionForm) -> SafeString | None:
    """Draw the board of the ship chosen in a form, with rulers. Return None if no ship is chosen."""
    chosen = str(form["starship"].value() or "")
    ships = Starship.objects.select_related("current").filter(current__isnull=False)
    starship = ships.filter(pk=chosen).first() if chosen.isdecimal() else None
    if starship is None or starship.current is None:
        return None
    ship = boards.starship_of(starship.current)
    return SafeString(rules.draw(ship, theme="page", cell=None, rulers=True, prefix="mission"))
