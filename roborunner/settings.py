"""Django's settings. Everything specific to a machine comes from the environment.

By default, ``DATABASE_URL`` and ``REDIS_URL`` are the addresses of the embedded servers under ``.local/``.
Reading the settings computes these addresses, but starts no server. ``docs/settings.md`` describes the
variables.
"""

import os
from email.utils import formataddr
from functools import partial
from pathlib import Path

from django.conf.locale import LANG_INFO

from embedded import paths
from roborunner import celery, environment
from roborunner.environment import Misconfigured
from roborunner.login import *  # noqa: F403
from roborunner.operations import log
from roborunner.postgres.connections import ReplicaConnection, configuration

BASE_DIR = Path(__file__).resolve().parent.parent
LOCAL_DIRECTORY = BASE_DIR / ".local"

DEBUG = environment.flag(os.environ, "DEBUG")


def _secret_key() -> str:
    given = environment.signing_key(os.environ, "SECRET_KEY")
    if not given and os.environ.get("DATABASE_URL"):
        raise Misconfigured(
            "The variable SECRET_KEY is missing. Set it to a long random text, and keep it secret."
        )
    try:
        return given or paths.secret_key(LOCAL_DIRECTORY)
    except OSError as error:
        raise Misconfigured(
            f"The variable SECRET_KEY is missing. Couldn't save a new key: {error}."
        ) from None


SECRET_KEY = _secret_key()
SECRET_KEY_FALLBACKS = environment.old_signing_keys(os.environ, "SECRET_KEY_OLD")

# --- The address of the site --------------------------------------------------------------------------------

BASE_URL = os.environ.get("BASE_URL", "").rstrip("/") or "http://localhost:8000"
_SITE = environment.site("BASE_URL", BASE_URL)
SITE_HOST = _SITE.hostname
HTTPS = _SITE.scheme == "https"
# Earlier host names of the site, whose requests are redirected.
OLD_HOSTS = [host.lower() for host in environment.hosts(os.environ, "OLD_HOSTS") if host != _SITE.hostname]
ALLOWED_HOSTS = [
    *environment.hosts(os.environ, "ALLOWED_HOSTS"),
    *OLD_HOSTS,
    _SITE.hostname,
    *("localhost", "127.0.0.1", "[::1]"),
]
CSRF_TRUSTED_ORIGINS = [BASE_URL]
SESSION_ENGINE = "accounts.sessions"
SESSION_COOKIE_SECURE = CSRF_COOKIE_SECURE = HTTPS
# With this prefix, browsers accept the cookies only from this exact host, over TLS.
_OWN = "__Host-robo-runner-" if HTTPS else "robo-runner-"
SESSION_COOKIE_NAME, CSRF_COOKIE_NAME = f"{_OWN}session", f"{_OWN}csrf"
BROWSER_COOKIE_NAME, MESSAGES_COOKIE_NAME = f"{_OWN}browser", f"{_OWN}messages"
MESSAGE_STORAGE = "accounts.sessions.MessageStorage"
CSRF_COOKIE_HTTPONLY = True
SECURE_HSTS_SECONDS = 60 * 60 * 24 * 365 if HTTPS else 0
SECURE_REFERRER_POLICY = "same-origin"
X_FRAME_OPTIONS = "DENY"
SILENCED_SYSTEM_CHECKS = [
    "security.W005",  # the owner of the domain decides on subdomains and preloading
    "security.W021",
    "security.W008",  # the server that ends TLS also redirects
]

# --- The look of this site ----------------------------------------------------------------------------------

SITE_NAME = environment.site_name(os.environ, "SITE_NAME")
SITE_ACCENT = environment.colour(os.environ, "SITE_ACCENT")  # of links, or "" for the usual blue
OPERATOR_PAGES = environment.readable_directory(os.environ, "OPERATOR_PAGES")  # Markdown files

# --- Applications -------------------------------------------------------------------------------------------

INSTALLED_APPS = [
    "accounts",
    "games",
    "allauth",
    "allauth.account",
    "allauth.mfa",
    "allauth.socialaccount",
    "allauth.usersessions",
    "rest_framework",
    "drf_spectacular",
    "django.contrib.admin",
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.messages",
    "servestatic.runserver_nostatic",
    "django.contrib.staticfiles",
    "django.contrib.humanize",
    "django.forms",
]

MIDDLEWARE = [
    # These two are asynchronous. Between synchronous middleware, each would cost two changes of thread.
    "roborunner.middleware.headers",
    "servestatic.middleware.ServeStaticMiddleware",
    "roborunner.operations.probes.ProbeMiddleware",
    # Pages and the API. Each answer gets a random length, and form tokens are masked, so that the size does
    # not reveal a correct guess echoed in a page (BREACH). Streams are answered in front of Django.
    "django.middleware.gzip.GZipMiddleware",
    "django.middleware.security.SecurityMiddleware",
    "csp.middleware.CSPMiddleware",
    "roborunner.middleware.HostMiddleware",
    "roborunner.middleware.without_cookies",  # before sessions
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "accounts.middleware.PersonMiddleware",
    "games.site.maintenance.MaintenanceMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "accounts.middleware.explain_login",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "allauth.account.middleware.AccountMiddleware",
    "games.reading.SnapshotMiddleware",  # last: it calls the view
]

ROOT_URLCONF = "roborunner.urls"
ASGI_APPLICATION = "roborunner.asgi.application"
WSGI_APPLICATION = "roborunner.wsgi.application"

TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [BASE_DIR / "templates"],
        "APP_DIRS": True,
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.request",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
                "accounts.navigation.page_context",
                "accounts.navigation.reader_settings",
                "games.site.menu.menu_context",
                "games.site.maintenance.site_context",
            ],
            "builtins": ["django.templatetags.i18n"],
            "libraries": {"modules": "roborunner.templates"},
        },
    }
]

FORM_RENDERER = "roborunner.templates.Renderer"

# --- Database and Redis -------------------------------------------------------------------------------------

DATABASE_URL = os.environ.get("DATABASE_URL") or paths.database_url(LOCAL_DIRECTORY)
_connected = partial(
    configuration,
    pool=environment.flag(os.environ, "DATABASE_POOL"),
    prepares=environment.flag(os.environ, "DATABASE_PREPARES"),
)
DATABASES = {"default": _connected(environment.database("DATABASE_URL", DATABASE_URL))}
if _REPLICA := os.environ.get("DATABASE_REPLICA_URL"):
    DATABASES["replica"] = _connected(
        environment.replica("DATABASE_REPLICA_URL", _REPLICA), kind=ReplicaConnection
    )
    DATABASE_ROUTERS = ["games.reading.Router"]
    MIDDLEWARE.append("games.reading.remember_writes")
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"

REDIS_URL = environment.redis("REDIS_URL", os.environ.get("REDIS_URL") or paths.redis_url(LOCAL_DIRECTORY))

# Rate limits for all processes together.
CACHES = {
    "default": {"BACKEND": "roborunner.cache.SharedCache", "LOCATION": REDIS_URL, "KEY_PREFIX": "robo-runner"}
}

# --- Tasks --------------------------------------------------------------------------------------------------
# The database is the truth. Every message is only a hint; the sweeper replaces lost ones.

CELERY_BROKER_URL = environment.broker(REDIS_URL)
CELERY_TASK_IGNORE_RESULT = True
CELERY_TASK_ACKS_LATE = True
CELERY_TASK_REJECT_ON_WORKER_LOST = True
# While Redis is down, a request continues without it at once.
CELERY_TASK_PUBLISH_RETRY_POLICY = {"max_retries": 0}
CELERY_BROKER_CONNECTION_RETRY_ON_STARTUP = True
CELERY_BROKER_CONNECTION_MAX_RETRIES = None  # a worker waits for Redis without limit
# Notice within seconds if Redis accepts connections but does not answer.
CELERY_BROKER_TRANSPORT_OPTIONS = {
    "visibility_timeout": 3600,
    "socket_timeout": 5,
    "socket_connect_timeout": 5,
    "socket_keepalive": True,
    "queue_order_strategy": "priority",  # take from the queues in the order given
}
CELERY_TASK_QUEUES = celery.QUEUES
CELERY_TASK_DEFAULT_QUEUE = celery.TURNS
CELERY_TASK_ROUTES = {
    "games.tasks.send_mail": {"queue": celery.MAIL},
    "games.tasks.send_account_mail": {"queue": celery.MAIL},
    "games.tasks.fetch_returns": {"queue": celery.MAIL},
    "games.tasks.post_*": {"queue": celery.WEBHOOKS},  # also tasks of channels added later
    "games.tasks.push_message": {"queue": celery.PUSH},
    "games.tasks.sweep": {"queue": celery.SWEEPS},
    "games.tasks.keep_deadline": {"queue": celery.SWEEPS},
    "games.tasks.play_computers": {"queue": celery.THINKING},
    "games.tasks.fly_run": {"queue": celery.LAB},
    "games.tasks.suggest_ship": {"queue": celery.LAB},
    "games.tasks.make_daily_run": {"queue": celery.LAB},
    "games.tasks.make_clip": {"queue": celery.LAB},
    "games.tasks.review_game": {"queue": celery.LAB},
    "games.tasks.mine_game": {"queue": celery.LAB},
}
CELERY_WORKER_PREFETCH_MULTIPLIER = 1
CELERY_WORKER_HIJACK_ROOT_LOGGER = False
# Computers keep charts of up to 128 starships, of 1 to 40 MB each. Replace a process that has grown.
CELERY_WORKER_MAX_MEMORY_PER_CHILD = 1000 * environment.number(os.environ, "WORKER_MEMORY", 400)  # in kB
CELERY_TIMEZONE = "UTC"
COMPUTER_SECONDS = environment.number(os.environ, "COMPUTER_SECONDS", 20, 600)  # time for a computer's turn
COMPUTER_GAMES = environment.number(os.environ, "COMPUTER_GAMES", 20)  # running, against only computers
COMPUTER_MINUTES = environment.number(os.environ, "COMPUTER_MINUTES", 120)  # thinking per person and day
NEWCOMER_GAMES = environment.number(os.environ, "NEWCOMER_GAMES", 3, least=0)
NEWCOMER_DAYS = environment.number(os.environ, "NEWCOMER_DAYS", 7, least=0)
AWARD_GAMES = environment.number(os.environ, "AWARD_GAMES", 10)  # required in a month for its awards
SIGN_UP = environment.choice(os.environ, "SIGN_UP", ["open", "invited", "approved", "closed"])
SIGN_UP_RUSH = environment.number(os.environ, "SIGN_UP_RUSH", 50, least=0)  # new people in an hour
THROWAWAY_ADDRESSES = environment.flag(os.environ, "THROWAWAY_ADDRESSES")
GUEST_DAYS = environment.number(os.environ, "GUEST_DAYS", 30)  # the days until an idle guest is deleted
LOBBY_DAYS = environment.number(os.environ, "LOBBY_DAYS", 14)  # the days until an open game is cancelled
SWEEP_SECONDS = environment.number(os.environ, "SWEEP_SECONDS", 30, 60)  # between two sweeps
# One sweep finds all work, so older messages expire while no worker runs.
CELERY_BEAT_SCHEDULE = {
    "sweep": {
        "task": "games.tasks.sweep",
        "schedule": SWEEP_SECONDS,
        "options": {"expires": 2 * SWEEP_SECONDS},
    }
}

# --- Mail ---------------------------------------------------------------------------------------------------
# Without EMAIL_URL, each email is a file in MAIL_DIRECTORY. A page shows these to superusers and the demo.

_MAIL = environment.email("EMAIL_URL", os.environ.get("EMAIL_URL") or (LOCAL_DIRECTORY / "mail").as_uri())
EMAIL_BACKEND = _MAIL["EMAIL_BACKEND"]
EMAIL_FILE_PATH = _MAIL.get("EMAIL_FILE_PATH")
EMAIL_HOST = _MAIL.get("EMAIL_HOST", "localhost")
EMAIL_PORT = _MAIL.get("EMAIL_PORT", 25)
EMAIL_HOST_USER = _MAIL.get("EMAIL_HOST_USER", "")
EMAIL_HOST_PASSWORD = _MAIL.get("EMAIL_HOST_PASSWORD", "")
EMAIL_USE_SSL = _MAIL.get("EMAIL_USE_SSL", False)
EMAIL_USE_TLS = _MAIL.get("EMAIL_USE_TLS", False)
EMAIL_TIMEOUT = _MAIL.get("EMAIL_TIMEOUT")
MAIL_PROVIDER = _MAIL.get("MAIL_PROVIDER", "")  # the provider's name if mail goes through its API
ANYMAIL = _MAIL.get("ANYMAIL", {})
MAIL_DIRECTORY = Path(EMAIL_FILE_PATH) if EMAIL_FILE_PATH else None
DEMO_NAME = "Demo"  # the Robo Name of the demonstration account, which may see those emails
DEFAULT_FROM_EMAIL = environment.sender(
    os.environ, "MAIL_FROM", formataddr((SITE_NAME, f"robo-runner@{_SITE.hostname}"))
)
SERVER_EMAIL = DEFAULT_FROM_EMAIL
BOUNCE_ADDRESS = environment.return_address(os.environ, "BOUNCE_ADDRESS")  # the address for bounced mail
BOUNCE_MAILBOX = environment.mailbox(os.environ, "BOUNCE_MAILBOX")  # the mailbox to fetch bounced mail from
if BOUNCE_MAILBOX:
    if not BOUNCE_ADDRESS:
        raise Misconfigured("The variable BOUNCE_ADDRESS is missing. BOUNCE_MAILBOX needs it.")
    CELERY_BEAT_SCHEDULE["returns"] = {
        "task": "games.tasks.fetch_returns",
        "schedule": 300,
        "options": {"expires": 300},
    }
MAIL_EVENTS_SECRET = environment.token(os.environ, "MAIL_EVENTS_SECRET")  # to authenticate a provider
if MAIL_EVENTS_SECRET and not MAIL_PROVIDER:
    raise Misconfigured("The variable EMAIL_URL names no mail provider. MAIL_EVENTS_SECRET needs one.")
if BOUNCE_ADDRESS and MAIL_PROVIDER:
    raise Misconfigured("The variable BOUNCE_ADDRESS needs a mail server. Providers take bounces.")

# --- Webhooks -----------------------------------------------------------------------------------------------

PRIVATE_WEBHOOKS = environment.flag(os.environ, "PRIVATE_WEBHOOKS")  # allow private networks, without TLS

# --- Accounts: the rest is in `login` -----------------------------------------------------------------------

# Names are unique in any case, by a constraint on lower(robo_name) that the check does not see.
SILENCED_SYSTEM_CHECKS += ["auth.W004"]
ACCOUNT_DEFAULT_HTTP_PROTOCOL = _SITE.scheme
OIDC = environment.login_provider(  # the provider of single sign-on, or None
    name=environment.name(os.environ, "OIDC_NAME"),
    issuer=environment.issuer(os.environ, "OIDC_ISSUER"),
    client_id=environment.name(os.environ, "OIDC_CLIENT_ID"),
    client_secret=environment.secret(os.environ, "OIDC_CLIENT_SECRET"),
    only=environment.flag(os.environ, "OIDC_ONLY"),
)
STAFF_SECOND_FACTOR = environment.flag(os.environ, "STAFF_SECOND_FACTOR", default=HTTPS)

# --- API ----------------------------------------------------------------------------------------------------

REST_FRAMEWORK = {"DEFAULT_SCHEMA_CLASS": "drf_spectacular.openapi.AutoSchema"}
SPECTACULAR_SETTINGS = {
    "TITLE": SITE_NAME,
    "DESCRIPTION": "Robots race across a starship, turn by turn. Details: [`/docs/api/`](/docs/api/).",
    "VERSION": "1",
    "OAS_VERSION": "3.1.0",
    "SCHEMA_PATH_PREFIX": "/api/v1",
    "SERVE_INCLUDE_SCHEMA": False,
    "SORT_OPERATIONS": False,
    "GENERIC_ADDITIONAL_PROPERTIES": None,
    "PREPROCESSING_HOOKS": ["games.web.schema.only_documented"],
    "POSTPROCESSING_HOOKS": ["games.web.schema.without_ids", "games.web.schema.with_events"],
    "ENUM_GENERATE_CHOICE_DESCRIPTION": False,
}

# --- The sources that a page may load from: only this site --------------------------------------------------

CONTENT_SECURITY_POLICY = {
    "DIRECTIVES": {
        "default-src": ["'self'"],
        "img-src": ["'self'", "data:"],
        "object-src": ["'none'"],
        "base-uri": ["'none'"],
        "form-action": ["'self'"],
        "frame-ancestors": ["'none'"],
        **({"upgrade-insecure-requests": True} if HTTPS else {}),
    }
}

# --- Static files -------------------------------------------------------------------------------------------
# With STATIC_ROOT: files from collectstatic, with a hash of their content in the name. Without: straight from
# the applications.

STATIC_URL = "/static/"
STATIC_ROOT = environment.optional_directory(os.environ, "STATIC_ROOT")
STATICFILES_DIRS = [directory for directory in [BASE_DIR / "static"] if directory.is_dir()]
SERVESTATIC_USE_FINDERS = STATIC_ROOT is None
SERVESTATIC_ALLOW_ALL_ORIGINS = False
SERVESTATIC_AUTOREFRESH = DEBUG
STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
    "staticfiles": {
        "BACKEND": (
            "roborunner.templates.StaticStorage"
            if STATIC_ROOT
            else "django.contrib.staticfiles.storage.StaticFilesStorage"
        )
    },
}

# --- The operator of this site, for its pages ---------------------------------------------------------------

OPERATOR = environment.name(os.environ, "OPERATOR")
CONTACT = environment.contacts(os.environ, "CONTACT")
# The licence for published starships.
STARSHIP_LICENCE = environment.name(os.environ, "STARSHIP_LICENCE") or "Creative Commons BY-SA 4.0"

# --- Vulnerability reports: /.well-known/security.txt -------------------------------------------------------

SECURITY_CONTACT = environment.contacts(os.environ, "SECURITY_CONTACT")

# --- The operator of this site, if something is wrong -------------------------------------------------------

OPERATOR_MAIL = environment.addresses(os.environ, "OPERATOR_MAIL")
OPERATOR_WEBHOOK = environment.web_address(os.environ, "OPERATOR_WEBHOOK")
OPERATOR_PUSH = environment.web_address(os.environ, "OPERATOR_PUSH")  # ntfy or Gotify
MONITOR_URL = environment.web_address(os.environ, "MONITOR_URL")  # called each minute while all is well
WATCH_URL = environment.web_address(os.environ, "WATCH_URL")  # where a web process must answer
WATCH_DIRECTORY = environment.directory(os.environ, "WATCH_DIRECTORY")  # for the time without a database
BACKUP_HOURS = environment.number(os.environ, "BACKUP_HOURS", 26, least=0)  # the maximum age of a backup
DRILL_DAYS = environment.number(os.environ, "DRILL_DAYS", 9, least=0)  # the maximum age of a restore drill

# --- Errors -------------------------------------------------------------------------------------------------

RELEASE = environment.name(os.environ, "RELEASE")
SENTRY_DSN = environment.web_address(os.environ, "SENTRY_DSN")

# --- The module with facts for metrics, health checks and the log -------------------------------------------

OPERATIONS = "games.operations"

# --- Metrics ------------------------------------------------------------------------------------------------

METRICS_TOKEN = environment.token(os.environ, "METRICS_TOKEN")
METRICS_DIRECTORY = environment.directory(os.environ, "METRICS_DIRECTORY")
WORKER_METRICS_PORT = environment.port(os.environ, "WORKER_METRICS_PORT")
WORKER_METRICS_HOST = environment.address(os.environ, "WORKER_METRICS_HOST", "127.0.0.1")
if METRICS_DIRECTORY:
    os.environ["PROMETHEUS_MULTIPROC_DIR"] = METRICS_DIRECTORY  # read when the first meter is created
elif WORKER_METRICS_PORT:
    raise Misconfigured("The variable METRICS_DIRECTORY is missing. WORKER_METRICS_PORT needs it.")

# --- Backups ------------------------------------------------------------------------------------------------

BACKUP_DIRECTORY = environment.optional_directory(os.environ, "BACKUP_DIRECTORY")
BACKUP_RECIPIENTS = environment.recipients(os.environ, "BACKUP_RECIPIENTS")  # public keys
BACKUP_IDENTITY = environment.file(os.environ, "BACKUP_IDENTITY")  # the file with the secret key
BACKUP_COPY = environment.backup_copy(os.environ, "BACKUP_COPY")  # where to copy backups off site
BACKUP_KEEP = environment.numbers(os.environ, "BACKUP_KEEP", (14, 8, 12), 1000)  # days, weeks, months

# --- Language, time, log ------------------------------------------------------------------------------------

LOCALE_PATHS = [BASE_DIR / "locale"]
_TRANSLATED = sorted(each.stem for each in (BASE_DIR / "static" / "languages").glob("*.js"))
LANGUAGES = [
    (code, LANG_INFO[code]["name_local"])
    for code in environment.languages(os.environ, "LANGUAGES", ["en", *_TRANSLATED])
]
LANGUAGE_CODE = "en"  # of commands, the log and the API; readers have theirs (accounts.languages)
SILENCED_SYSTEM_CHECKS += ["translation.E004"]  # LANGUAGES need not have English
FORMAT_MODULE_PATH = "roborunner.formats"
TIME_ZONE = "UTC"

LOGGING = log.configuration(environment.choice(os.environ, "LOG_FORMAT", ["lines", "json"]))
