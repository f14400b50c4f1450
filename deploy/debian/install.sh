#!/bin/sh
# Robo Runner on one machine with Debian 12 or 13, without Docker: docs/machine.md tells each step. Call it as root:
#
#   deploy/debian/install.sh https://robo.example.org [smtp+tls://user:password@mail.example.org:587]
#
# It can be called again: settings, data and the release that are there stay. `robo-runner site upgrade` replaces the
# release. For a rehearsal, ROOT is a directory in place of /: there it makes no packages, users or services, and uses
# the servers that DATABASE_URL and REDIS_URL name, with psql as PGHOST and so on tell it.
set -eu
umask 022

ROOT=${ROOT:-}
WEB_PORTS=${WEB_PORTS:-8000 8001}
HERE=$(cd "$(dirname "$0")" && pwd)
SOURCES=$(cd "$HERE/../.." && pwd)
APP=$ROOT/opt/robo-runner/app
CURRENT=$ROOT/opt/robo-runner/current
SETTINGS=$ROOT/etc/robo-runner

say() { echo "== $*"; }
fail() {
    echo "$*" >&2
    exit 1
}
# From /, because postgres may not enter the directory of root.
as_postgres() { if [ "$ROOT" ]; then "$@"; else (cd / && runuser --user postgres -- "$@"); fi; }
manage() { "$ROOT/usr/local/bin/robo-runner" "$@"; }
random() { python3 -c 'import secrets; print(secrets.token_urlsafe(48))'; }

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
        postgresql postgresql-client redis-server caddy rclone git python3-venv adduser >/dev/null
}

places() {
    say "User and directories"
    if [ "$ROOT" ]; then
        mkdir -p "$ROOT/opt/robo-runner" "$ROOT/usr/local/bin" "$ROOT/run" "$ROOT/var/backups" "$ROOT/var/lib/robo-runner"
        [ -e "$APP" ] || ln -s "$SOURCES" "$APP"
        owner=$(id -un) group=$(id -gn)
    else
        [ "$SOURCES" = "$APP" ] || fail "The sources have to be in $APP, and are in $SOURCES."
        adduser --system --group --quiet --home /opt/robo-runner --no-create-home robo
        owner=robo group=robo
    fi
    install -d -m 755 "$SETTINGS/workers"
    install -d -m 700 -o "$owner" -g "$group" "$ROOT/var/backups/robo-runner"
}

code() {
    say "The release: sources, Python packages, translations and static files"
    (cd "$SOURCES" && python3 -m deploy.site install --root "$ROOT" "$SOURCES")
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
    # The role may not make databases. Into this one, restore drills put a backup, and empty it again.
    [ "$(as_postgres psql -Atqc "SELECT 1 FROM pg_database WHERE datname = 'robo_scratch'" postgres)" ] ||
        as_postgres createdb --owner=robo --template=template0 --encoding=UTF8 --locale=C.UTF-8 robo_scratch
    as_postgres psql -qc "REVOKE ALL ON DATABASE robo_scratch FROM PUBLIC" postgres
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
STATIC_ROOT='$ROOT/opt/robo-runner/current/collected'
LOG_FORMAT=json
WATCH_URL='http://127.0.0.1:${WEB_PORTS%% *}/healthz'
# Who hears if something is wrong: docs/alarms.md.
OPERATOR_MAIL=
OPERATOR_PUSH=
END
        )
        [ "$ROOT" ] || chown root:robo "$SETTINGS/environment.new"
        [ "$ROOT" ] || chmod 640 "$SETTINGS/environment.new"
        mv "$SETTINGS/environment.new" "$SETTINGS/environment"
    fi
    # Each release has its own static files. Earlier recipes had one directory for all.
    sed -i "s#^STATIC_ROOT=.*/opt/robo-runner/static'*\$#STATIC_ROOT='$CURRENT/collected'#" "$SETTINGS/environment"
    for worker in "$HERE"/workers/*; do
        [ -e "$SETTINGS/workers/${worker##*/}" ] || cp "$worker" "$SETTINGS/workers/"
    done
}

tables() {
    say "Tables and starships"
    manage prepare --verbosity=0
}

units() {
    say "Settings of journald, PostgreSQL and Caddy"
    install -d "$ROOT/etc/systemd/system/postgresql@.service.d" "$ROOT/etc/systemd/journald.conf.d" "$ROOT/etc/caddy"
    cp "$HERE/postgresql.conf" "$ROOT/etc/systemd/system/postgresql@.service.d/robo-runner.conf"
    cp "$HERE/journald.conf" "$ROOT/etc/systemd/journald.conf.d/robo-runner.conf"
    for cluster in "$ROOT"/etc/postgresql/*/main; do
        if [ -d "$cluster" ]; then install -D -m 644 "$HERE/postgresql-log.conf" "$cluster/conf.d/robo-runner.conf"; fi
    done
    caddyfile=$ROOT/etc/caddy/Caddyfile
    if [ -e "$caddyfile" ]; then
        ! grep -q "^# Caddy ends TLS" "$caddyfile" || return 0 # ours, perhaps with a new host
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
    systemctl enable --quiet --now postgresql redis-server robo-runner-backup.timer robo-runner-drill.timer
    systemctl reload postgresql
    systemctl enable --quiet robo-runner.target
    systemctl restart robo-runner.target
    systemctl reload-or-restart caddy
}

packages
places
database
settings
code
tables
units
start
say "Done: $BASE_URL"
