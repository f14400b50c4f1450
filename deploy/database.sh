#!/bin/sh
# Backup, restore and check of the database of docker-compose.yml; called where that file is.
#
#   deploy/database.sh backup FILE         writes all games to a file, while they are played
#   deploy/database.sh restore FILE NAME   makes a new database out of such a file, or of an encrypted backup, and checks it
#   deploy/database.sh check [NAME]        says whether all games are sound: the site's, or those of a database beside it
#   deploy/database.sh take-over NAME      gives the site a restored database; stop web, beat and all workers first
set -eu

say() {
    echo "$*" >&2
    exit 1
}

usage() {
    sed -n '4,7s/^#   //p' "$0" >&2
    exit 2
}

db() {
    program=$1
    shift
    docker compose exec -T db "$program" --username=robo "$@"
}

# Names go into SQL and into an address.
named() {
    case $1 in
        '' | *[!a-z0-9_]* | [0-9]*) say "A name is made of a to z, 0 to 9 and _, and begins with a letter: “$1” is not." ;;
    esac
}

check() {
    # The container knows its own address.
    # shellcheck disable=SC2016
    docker compose run -T --rm --no-deps web sh -c \
        'export DATABASE_URL="${DATABASE_URL%/*}/$1" && python manage.py check_games' \
        sh "$1"
}

# Only the container of the backups has the secret key. It reads the file by its standard input, so that it needs no
# right to the file, and keeps it beside the backups for the moment.
restore_encrypted() {
    # shellcheck disable=SC2016
    docker compose run -T --rm --no-deps backups sh -c \
        'file=$(mktemp --suffix=.age "$BACKUP_DIRECTORY/restore-XXXXXX") && trap "rm -f $file" EXIT &&
            cat > "$file" && python manage.py restore "$file" "$1"' \
        sh "$2" < "$1"
}

[ $# -ge 1 ] || usage
command=$1
shift
case "$command $#" in
    "backup 1")
        [ ! -e "$1" ] || say "There is a file $1 already: a backup is not written over another."
        umask 077 # addresses of mail and hashes of passwords are in it
        trap 'rm -f "$1.unfinished"' EXIT
        db pg_dump --format=custom robo > "$1.unfinished"
        mv "$1.unfinished" "$1"
        echo "$1 holds all games: $(wc -c < "$1") bytes."
        ;;
    "restore 2")
        [ -f "$1" ] || say "There is no file $1."
        named "$2"
        case $1 in
            *.age)
                restore_encrypted "$1" "$2"
                exit
                ;;
        esac
        db createdb --template=template0 "$2"
        if ! db pg_restore --dbname="$2" --single-transaction --no-owner < "$1"; then
            db dropdb "$2"
            say "$1 was not restored."
        fi
        echo "The database $2 is made."
        check "$2"
        ;;
    "check 0") check robo ;;
    "check 1")
        named "$1"
        check "$1"
        ;;
    "take-over 1")
        named "$1"
        kept="robo_before_$(date -u +%Y%m%d%H%M%S)"
        # A database that is being used cannot be renamed: both are, or neither.
        db psql --dbname=postgres --quiet --set=ON_ERROR_STOP=1 --single-transaction \
            --command="ALTER DATABASE robo RENAME TO $kept" --command="ALTER DATABASE $1 RENAME TO robo"
        docker compose exec -T redis redis-cli FLUSHALL > /dev/null ||
            say "The site now uses the data of $1, and its old data is in $kept. But Redis was not emptied: do so before it starts."
        echo "The site now uses the data of $1. Its old data is in $kept."
        ;;
    *) usage ;;
esac
