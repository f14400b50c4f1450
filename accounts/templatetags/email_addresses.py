"""Email addresses on pages and in mails."""

from django import template

from accounts.users.mailboxes import readable

register = template.Library()
register.filter("readable", readable)
