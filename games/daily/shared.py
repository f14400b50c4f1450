"""Days and results of the daily run for other people: titles, runs and text.

Before a day is over, none of them depends on anyone's program or on the solution. Results have no names.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime

from django.conf import settings
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _

import rules
from games.daily.models import DailyResult, DailyRun
from games.daily.selectors import (
    day_from,
    day_in,
    number_of,
    played,
    result_of_key,
    result_url,
    run_of,
    score_in_words,
    squares_of,
    task_in_words,
    today_of,
)
from games.play import stored
from games.sharing.selectors import SharedPage, lines_of_turn
from rules.daily.days import Day
from rules.daily.search import Run, run


@dataclass(frozen=True, slots=True)
class Share:
    """A day of the daily run, or a player's first try at it, as everyone may see it at a time.

    ``is_over`` is whether the day is over. Then `run` may be shown.
    """

    row: DailyRun
    day: Day
    is_over: bool
    result: DailyResult | None = None

    @property
    def run(self) -> Run:
        """The run to show: the first try, or a best one for a day. It is empty before the day is over."""
        if not self.is_over:
            return Run((), finished=False, score=None)
        if self.result is None:
            return run(self.day.position, self.day.task, self.day.best.solution)
        return played(self.day, self.result.first_programs or [])

    @property
    def title(self) -> str:
        if self.result is None:
            return _("Daily run {number}").format(number=number_of(self.row.date))
        title = (
            _("Daily run {number}: {score} (par: {par})")
            if self.result.counts
            else _("Daily run {number}, played later: {score} (par: {par})")
        )
        return title.format(
            number=number_of(self.row.date),
            score=score_in_words(self.day, self.result.first_score),
            par=score_in_words(self.day, self.day.best.par),
        )

    @property
    def page(self) -> SharedPage:
        """The page to share."""
        task, date = task_in_words(self.day), self.row.date.isoformat()
        embed = reverse("sharing:embed_day", args=[date])
        url = settings.BASE_URL + reverse("daily:day", args=[date])
        if self.result:
            task = f"{squares_of(self.day, self.result.first_score)} {task}"
            url = result_url(self.result)
            embed = reverse("sharing:embed_result", args=[url.split("/")[-2]])
        return SharedPage(
            title=self.title,
            description=task,
            url=url,
            picture=f"{url}share.png",
            embed=settings.BASE_URL + embed,
            board=(self.day.ship.width, self.day.ship.height),
        )

    def lines(self) -> Iterator[str]:
        """Yield the lines of the plain text: task, par and result, and each turn once the day is over."""
        par = _("Par: {par}.").format(par=score_in_words(self.day, self.day.best.par))
        yield from (self.title, "=" * len(self.title), "", task_in_words(self.day), par, self.page.url)
        state = self.day.position.state
        for number, outcome in enumerate(self.run.outcomes, 1):
            terms = stored.vocabulary_of(self.day.ship, state)
            yield from lines_of_turn(number, rules.events_to_json(terms, outcome.events))
            state = outcome.state


def shared_day(day: str, *, now: datetime) -> Share:
    """Return the day with this date, such as “2027-01-31”. Raises NotFound, also for all coming days."""
    row = run_of(day=day_from(day), now=now)
    return Share(row, day_in(row), row.date < today_of(now))


def shared_result(key: str, *, now: datetime) -> Share:
    """Return the result with this key. Raises NotFound if the key is wrong or the result was deleted."""
    result = result_of_key(key)
    return Share(result.run, day_in(result.run), result.run_id < today_of(now), result)


def page_of_day(day: str, number: int = 1) -> SharedPage:
    """Return the page of a day, whichever turn its embedded player shows. Raises NotFound."""
    return shared_day(day, now=timezone.now()).page


def page_of_result(result_key: str, number: int = 1) -> SharedPage:
    """Return the page of a result, whichever turn its embedded player shows. Raises NotFound."""
    return shared_result(result_key, now=timezone.now()).page
