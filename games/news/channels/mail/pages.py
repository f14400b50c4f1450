"""What a provider of mail tells of the mails that it took: for programs alone."""

import logging

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_POST

from games.news.channels.mail.provider import Unproven, Unreadable, fates_in
from games.news.channels.mail.returns import take_fate

logger = logging.getLogger(__name__)


@csrf_exempt  # a provider posts without a cookie; the secret is what counts
@require_POST
def mail_events(request: HttpRequest) -> HttpResponse:
    """Take what a provider tells; where the settings have no secret for that, there is no such address."""
    if not settings.MAIL_EVENTS_SECRET:
        raise Http404
    try:
        fates = fates_in(request)
    except Unproven:
        logger.warning("Somebody told of mails that came back without the secret of MAIL_EVENTS_SECRET.")
        answer = HttpResponse(_("The secret is missing or wrong."), status=401, content_type="text/plain")
        answer.headers["WWW-Authenticate"] = 'Basic realm="mail events"'
        return answer
    except Unreadable:
        return HttpResponse(_("These are not mail events."), status=400, content_type="text/plain")
    for fate in fates:
        take_fate(fate=fate, now=timezone.now())
    return HttpResponse(content_type="text/plain")
