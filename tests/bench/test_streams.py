"""The benchmark of streams measures a process together with its threads."""

import os
import threading

from bench.streams import weigh


def test_a_process_is_measured_with_its_threads(db: None) -> None:
    before = weigh(os.getpid())
    end = threading.Event()
    threads = [threading.Thread(target=end.wait) for _ in range(3)]
    for thread in threads:
        thread.start()
    try:
        after = weigh(os.getpid())
    finally:
        end.set()
        for thread in threads:
            thread.join()
    assert after.threads == before.threads + 3
    assert after.memory > 1000
    assert after.files > 2
