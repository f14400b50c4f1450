#!/bin/sh
# Changes the site of docker-compose.yml; called where that file is: deploy/compose.sh upgrade
# Its commands are those of deploy/site.py: upgrade, rollback, rename, new-key, new-password.
set -eu
PYTHONPATH=$(cd "$(dirname "$0")/.." && pwd) exec python3 -m deploy.site "$@"
