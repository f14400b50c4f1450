"""What lines of the log belong to while a task runs: the task, and the row that it is about.

A task that a request has asked for carries the request's number on.
"""

from typing import Any

from celery.signals import before_task_publish, task_postrun, task_prerun

from roborunner.operations import log
from roborunner.operations.service import service


@before_task_publish.connect
def _hand_on(headers: dict[str, Any], **_: Any) -> None:
    if request := log.current().get("request"):
        headers["request_number"] = request


@task_prerun.connect
def _begin(task_id: str, task: Any, args: tuple[Any, ...], **_: Any) -> None:
    log.forget()
    log.note(task=task.name.rpartition(".")[2], task_id=task_id)
    if (row := service().row_of(task.name)) and args and isinstance(args[0], int):
        log.note(**{row: args[0]})
    if request := getattr(task.request, "request_number", None):
        log.note(request=request)


@task_postrun.connect
def _end(**_: Any) -> None:
    log.forget()
