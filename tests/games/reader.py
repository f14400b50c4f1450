"""A person who reads the site's pages in a browser without scripts."""

import html
import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from django.test import Client

from accounts.models import User


@dataclass(frozen=True)
class Answer:
    status: int
    html: str
    address: str

    @property
    def text(self) -> str:
        """The visible text of the page."""
        plain = re.sub(r"(?s)<(script|template|style|head)\b.*?</\1>", " ", self.html)
        return " ".join(html.unescape(re.sub(r"<[^>]+>", " ", plain)).split())

    def __contains__(self, text: str) -> bool:
        return text in self.text

    @property
    def links(self) -> list[str]:
        return [html.unescape(link) for link in re.findall(r'<a\b[^>]*?href="([^"]*)"', self.html)]

    @property
    def actions(self) -> list[str]:
        """The targets of the page's forms, without the menu."""
        body = self.html.partition("<main")[2]
        return re.findall(r'<form\b[^>]*?action="([^"]*)"', body)

    def chosen(self, name: str) -> str:
        """Return the selected value of a list or group of radio buttons, or "" if none is."""
        lists = re.search(rf'(?s)<select[^>]*name="{name}".*?</select>', self.html)
        if lists:
            found = re.search(r'value="([^"]*)"[^>]*\bselected', lists.group())
            return found.group(1) if found else ""
        ticked = [
            tag
            for tag in re.findall(r"<input[^>]*>", self.html)
            if f'name="{name}"' in tag and " checked" in tag
        ]
        values = [found.group(1) for tag in ticked if (found := re.search(r'value="([^"]*)"', tag))]
        return ",".join(values) if values or not ticked else "on"


class Reader:
    """A client, logged in as ``person`` if there is one."""

    def __init__(self, person: User | None) -> None:
        self.client = Client()
        if person:
            self.client.force_login(person)

    def get(self, address: str) -> Answer:
        return _answer(self.client.get(address, follow=True), address)

    def post(self, address: str, /, **fields: Any) -> Answer:
        """Send a form, and follow redirects.

        Fields of registers are named ``register_1`` and so on.
        """
        data = {re.sub(r"^register_", "register-", name): value for name, value in fields.items()}
        return _answer(self.client.post(address, data, follow=True), address)


def _answer(response: Any, address: str) -> Answer:
    chain = getattr(response, "redirect_chain", [])
    return Answer(response.status_code, response.content.decode(), chain[-1][0] if chain else address)


ReaderOf = Callable[[User | None], Reader]


def reader(person: User | None) -> Reader:
    return Reader(person)


def plain(html: str) -> str:
    return re.sub(r"\s+", " ", re.sub(r"<[^>]*>", " ", html))
