#!/bin/sh
# Robo Runner on one machine with Debian 12, without Docker: docs/machine.md tells each step. Call it as root:
#
#   deploy/debian/install.sh https://robo.example.org [smtp+tls://user:password@mail.example.org:587]
#
# It can be called again, for a new release as well: settings and data that are there stay. For a rehearsal, ROOT is a
# directory in place of /: there it makes no packages, users or services, and uses the servers that DATABASE_URL and
# REDIS_URL name, with psql as PGHOST and so on tell it.
set -eu
umask 022

ROOT=${ROOT:-}
WEB_PORTS=${WEB_PORTS:-8000 8001}
HERE=$(cd "$(dirname "$0")" && pwd)
SOURCES=$(cd "$HERE/../.." && pwd)
APP=$ROOT/opt/robo-runner/app
VENV=$ROOT/opt/robo-runner/venv
SETTINGS=$ROOT/etc/robo-runner

say() { echo "== $*"; }
fail() {
    echo "$*" >&2
    exit 1
}
as_postgres() { if [ "$ROOT" ]; then "$@"; else runuser --user postgres -- "$@"; fi; }
manage() { "$ROOT/usr/local/bin/robo-runner" "$@"; }
random() { python3 -c 'import secrets; print(secrets.token_urlsafe(48))'; }
# Files name the places of a machine; in a rehearsal these are below ROOT.
placed() {
    if [ "$ROOT" ]; then
        sed -e "s#/\(opt\|etc\|run\|var/backups\)/robo-runner#$ROOT&#g" -e 's#exec runuser --user "$user" --#exec#' "$1"
    else
        cat "$1"
    fi
}

case ${1:-} in
    http://* | https://*) BASE_URL=${1%/} ;;
    *) fail "Say under which address people reach the site: $0 https://robo.example.org [EMAIL_URL]" ;;
esac
EMAIL_URL=${2:-smtp://localhost:25}
[ "$ROOT" ] || [ "$(id -u)" = 0 ] || fail "Call this as root."

packages() {
    [ "$ROOT" ] && return
    say "Packages of Debian"
    apt-get update -qq
    DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends \
        postgresql-15 postgresql-client-15 redis-server caddy python3-venv adduser >/dev/null
}

places() {
    say "User and directories"
    if [ "$ROOT" ]; then
        mkdir -p "$ROOT/opt/robo-runner" "$ROOT/usr/local/bin" "$ROOT/run" "$ROOT/var/backups"
        [ -e "$APP" ] || ln -s "$SOURCES" "$APP"
        owner=$(id -un) group=$(id -gn)
    else
        [ "$SOURCES" = "$APP" ] || fail "The sources have to be in $APP, and are in $SOURCES."
        adduser --system --group --quiet --home /opt/robo-runner --no-create-home robo
        owner=robo group=robo
    fi
    install -d -m 755 "$SETTINGS/workers"
    install -d -m 700 -o "$owner" -g "$group" "$ROOT/var/backups/robo-runner"
    placed "$HERE/robo-runner" > "$ROOT/usr/local/bin/robo-runner"
    chmod 755 "$ROOT/usr/local/bin/robo-runner"
}

code() {
    say "Python packages"
    if [ "${GIVEN_VENV:-}" ]; then
        [ -e "$VENV" ] || ln -s "$GIVEN_VENV" "$VENV"
        return
    fi
    [ -x "$VENV/bin/pip" ] || python3 -m venv "$VENV"
    "$VENV/bin/pip" install -qq --disable-pip-version-check --no-deps --only-binary :all: --require-hashes \
        -r "$APP/requirements.lock"
    "$VENV/bin/pip" check -qq
}

database() {
    say "Role and database"
    # The role may do nothing but use the one database that it owns; it is let in as the user of the same name.
    [ "$(as_postgres psql -Atqc "SELECT 1 FROM pg_roles WHERE rolname = 'robo'" postgres)" ] ||
        as_postgres psql -qc "CREATE ROLE robo LOGIN NOSUPERUSER NOCREATEDB NOCREATEROLE NOREPLICATION" postgres
    [ "$(as_postgres psql -Atqc "SELECT 1 FROM pg_database WHERE datname = 'robo'" postgres)" ] ||
        as_postgres createdb --owner=robo --template=template0 --encoding=UTF8 --locale=C.UTF-8 robo
    # No other role comes in, neither into this database nor into one that took its place.
    as_postgres psql -qc "REVOKE ALL ON DATABASE robo FROM PUBLIC" postgres
}

settings() {
    say "Settings in $SETTINGS"
    if [ ! -e "$SETTINGS/environment" ]; then
        (
            umask 077
            cat > "$SETTINGS/environment.new" <<END
# What each means is in docs/settings.md. Write values with spaces or one of \$ & < > in single quotes.
DATABASE_URL='${DATABASE_URL:-postgresql://robo@%2Frun%2Fpostgresql/robo}'
REDIS_URL='${REDIS_URL:-redis://127.0.0.1:6379/0}'
BASE_URL='$BASE_URL'
EMAIL_URL='$EMAIL_URL'
MAIL_FROM=
SECRET_KEY='$(random)'
METRICS_TOKEN='$(random)'
STATIC_ROOT='$ROOT/opt/robo-runner/static'
LOG_FORMAT=json
END
        )
        [ "$ROOT" ] || chown root:robo "$SETTINGS/environment.new"
        [ "$ROOT" ] || chmod 640 "$SETTINGS/environment.new"
        mv "$SETTINGS/environment.new" "$SETTINGS/environment"
    fi
    for worker in "$HERE"/workers/*; do
        [ -e "$SETTINGS/workers/${worker##*/}" ] || cp "$worker" "$SETTINGS/workers/"
    done
}

tables() {
    say "Translations, static files, tables and starships"
    mkdir -p "$ROOT/opt/robo-runner/static"
    (
        set -a
        # shellcheck disable=SC1091
        . "$SETTINGS/environment"
        cd "$APP"
        # As root: the site may read its translations and static files, and not change them.
        "$VENV/bin/python" -m roborunner.translations
        "$VENV/bin/python" manage.py collectstatic --noinput --verbosity=0
    )
    manage prepare --verbosity=0
}

units() {
    say "Units of systemd, journald and Caddy"
    install -d "$ROOT/etc/systemd/system/postgresql@.service.d" "$ROOT/etc/systemd/journald.conf.d" "$ROOT/etc/caddy"
    for unit in "$HERE"/units/*; do
        placed "$unit" > "$ROOT/etc/systemd/system/${unit##*/}"
    done
    cp "$HERE/postgresql.conf" "$ROOT/etc/systemd/system/postgresql@.service.d/robo-runner.conf"
    cp "$HERE/journald.conf" "$ROOT/etc/systemd/journald.conf.d/robo-runner.conf"
    caddyfile=$ROOT/etc/caddy/Caddyfile
    if [ -e "$caddyfile" ] && ! grep -q "^# The door: " "$caddyfile"; then
        cp "$caddyfile" "$caddyfile.before-robo-runner"
    fi
    upstreams=$(for port in $WEB_PORTS; do printf ' 127.0.0.1:%s' "$port"; done)
    sed -e "s#^BASE_URL#$BASE_URL#" -e "s#reverse_proxy .* {#reverse_proxy$upstreams {#" "$HERE/Caddyfile" > "$caddyfile"
}

start() {
    if [ "$ROOT" ] || [ ! -d /run/systemd/system ]; then
        say "No systemd runs here: nothing is started"
        return
    fi
    say "Start"
    systemctl daemon-reload
    systemctl restart systemd-journald
    systemctl enable --quiet --now postgresql redis-server robo-runner-backup.timer
    systemctl enable --quiet robo-runner.target
    systemctl restart robo-runner.target
    systemctl reload-or-restart caddy
}

packages
places
code
database
settings
tables
units
start
say "Done: $BASE_URL"
