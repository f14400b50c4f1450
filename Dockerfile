# The service alone: Postgres, Redis and a mail server are somebody else's, see docker-compose.yml.

FROM python:3.13-slim AS packages
RUN python -m venv /venv
COPY requirements.lock .
RUN /venv/bin/pip install --no-cache-dir --no-deps --only-binary :all: --require-hashes -r requirements.lock \
    && /venv/bin/pip check

# With a C compiler, which the image itself does without.
FROM python:3.13 AS compiled
WORKDIR /srv/robo-runner
COPY requirements-compile.lock .
RUN pip install --no-cache-dir --no-deps --only-binary :all: --require-hashes -r requirements-compile.lock
COPY compile_rules.py .
COPY rules rules
# Where they were not compiled, the second command fails.
RUN python compile_rules.py && RULES=compiled python -c "import rules"

FROM python:3.13-slim
# Nobody is believed to forward for others, unless the deployment names them in FORWARDED_ALLOW_IPS.
ENV PATH="/venv/bin:$PATH" PYTHONUNBUFFERED=1 STATIC_ROOT=/srv/static FORWARDED_ALLOW_IPS=""
RUN useradd --uid=10001 --system --no-create-home --shell /usr/sbin/nologin robo \
    && install --directory --owner=10001 /var/lib/robo-runner \
    && install --directory --owner=10001 --mode=700 /backups
# For backups: pg_dump and pg_restore of the server's version, from PostgreSQL's own packages, and rclone for copies.
RUN apt-get update -qq && apt-get install -y -qq --no-install-recommends ca-certificates postgresql-common rclone \
    && /usr/share/postgresql-common/pgdg/apt.postgresql.org.sh -y \
    && apt-get install -y -qq --no-install-recommends postgresql-client-18 \
    && rm -rf /var/lib/apt/lists/*
COPY --from=packages /venv /venv
WORKDIR /srv/robo-runner
COPY . .
COPY --from=compiled /srv/robo-runner/.local/compiled .local/compiled
# The key is for this command alone, which signs nothing with it.
RUN python -m roborunner.translations \
    && SECRET_KEY=for-collecting-static-files-alone python manage.py collectstatic --noinput --verbosity=0 \
    && python -m compileall -q . \
    && RULES=compiled python -c "import rules"
# By number, so that whoever runs the image can see that it is not root.
USER 10001
EXPOSE 8000
# `docker run … celery --app=roborunner worker`, which takes all queues, and `… beat` are the other two processes;
# docker-compose.yml starts a worker for each kind of work.
CMD ["uvicorn", "roborunner.asgi:application", "--host=0.0.0.0", "--port=8000", "--no-access-log", \
     "--http=roborunner.protocol:Bounded", "--lifespan=off", "--timeout-graceful-shutdown=3"]
