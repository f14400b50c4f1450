"""A member of staff who walks through the admin, with each click counted."""

from dataclasses import dataclass, field
from html.parser import HTMLParser
from typing import Any
from urllib.parse import urljoin

from django.http import HttpResponse
from django.test import Client

CLICK_LIMIT = 4


@dataclass
class Form:
    """A form of a page: its address, method, values, and buttons by their words."""

    address: str
    method: str
    values: dict[str, str] = field(default_factory=dict)
    buttons: dict[str, tuple[str, str]] = field(default_factory=dict)


class Page(HTMLParser):
    """The links and forms of a page, as a person sees them."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.links: list[tuple[str, str]] = []
        self.forms: list[Form] = []
        self._words: list[str] | None = None
        self._of: dict[str, str] = {}
        self.feed(html)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        found = {name: value or "" for name, value in attrs}
        if tag == "form":
            self.forms.append(Form(found.get("action", ""), found.get("method", "get").lower()))
        elif tag in ("a", "button"):
            self._words, self._of = [], found
        elif tag == "input" and self.forms:
            self._input(found)

    def _input(self, found: dict[str, str]) -> None:
        form, kind = self.forms[-1], found.get("type", "text")
        name, value = found.get("name", ""), found.get("value", "")
        if kind == "submit":
            form.buttons[value] = (name, value)
        elif name and (kind not in ("checkbox", "radio") or "checked" in found):
            form.values[name] = value

    def handle_data(self, data: str) -> None:
        if self._words is not None:
            self._words.append(data)

    def handle_endtag(self, tag: str) -> None:
        if tag not in ("a", "button") or self._words is None:
            return
        words = " ".join("".join(self._words).split())
        if tag == "a":
            self.links.append((words, self._of.get("href", "")))
        elif self.forms:
            self.forms[-1].buttons[words] = (self._of.get("name", ""), self._of.get("value", ""))
        self._words = None


class Walk:
    """A walk from the first page of the admin. Links and buttons count as clicks, fields do not."""

    def __init__(self, client: Client) -> None:
        self.client = client
        self.clicks = 0
        self.address = "/admin/"
        self.response: Any = client.get(self.address)

    @property
    def html(self) -> str:
        return str(self.response.content.decode())

    def search(self, text: str) -> None:
        self.press("Find", q=text)

    def open(self, words: str) -> None:
        """Click the link whose text begins with these words."""
        links = [link for said, link in Page(self.html).links if said.startswith(words)]
        assert links, f"no link “{words}” at {self.address}: {Page(self.html).links}"
        self._go(self.client.get(urljoin(self.address, links[0]), follow=True), links[0])

    def open_page(self, address: str) -> None:
        """Click the link to an address."""
        assert address in [link for _said, link in Page(self.html).links], f"no link to {address}"
        self._go(self.client.get(address, follow=True), address)

    def press(self, words: str, **fields: str) -> None:
        """Fill in the form with this button, and press the button."""
        forms = [form for form in Page(self.html).forms if words in form.buttons]
        assert forms, f"no button “{words}” at {self.address}"
        form = forms[0]
        name, value = form.buttons[words]
        data = {**form.values, **fields, **({name: value} if name else {})}
        address = urljoin(self.address, form.address)
        send = self.client.get if form.method == "get" else self.client.post
        self._go(send(address, data, follow=True), address)  # type: ignore[arg-type]

    def _go(self, response: HttpResponse, address: str) -> None:
        assert response.status_code == 200, (response.status_code, address)
        chain = getattr(response, "redirect_chain", [])
        self.address = urljoin(self.address, chain[-1][0] if chain else address)
        self.response = response
        self.clicks += 1
