"""The tables of this room."""

from games.news.models.mail_server import MailServer
from games.news.models.notices import Notice
from games.news.models.receivers import Receiver
from games.news.models.subjects import NoticeSubject
