"""Async code from synchronous code: one loop a thread, closed with it."""

import asyncio
import gc
import sys
import threading
from collections.abc import AsyncGenerator

import pytest

from llamaindex_rag_eval._sync import run_sync
from tests import prepared


async def running_loop() -> asyncio.AbstractEventLoop:
    return asyncio.get_running_loop()


def test_a_thread_keeps_its_loop_from_call_to_call() -> None:
    first, second = run_sync(running_loop()), run_sync(running_loop())
    assert first is second
    assert not first.is_closed()


def test_a_loop_is_closed_with_its_thread_and_what_ran_there_is_cleaned_up() -> None:
    loops: list[asyncio.AbstractEventLoop] = []
    ended: list[str] = []

    async def forever() -> None:
        try:
            await asyncio.Event().wait()
        finally:
            ended.append("task")

    async def numbers() -> AsyncGenerator[int, None]:
        try:
            yield 1
        finally:
            ended.append("generator")

    left: list[object] = []

    async def begin() -> None:
        loops.append(asyncio.get_running_loop())
        left.append(asyncio.create_task(forever()))
        generator = numbers()
        left.append(generator)
        await anext(generator)

    thread = threading.Thread(target=lambda: run_sync(begin()))
    thread.start()
    thread.join()
    del thread
    gc.collect()
    assert loops[0].is_closed()
    assert loops[0] is not run_sync(running_loop())
    assert sorted(ended) == ["generator", "task"]


def test_an_interrupted_coroutine_may_clean_up_and_the_loop_goes_on() -> None:
    ended: list[str] = []

    async def work() -> None:
        asyncio.get_running_loop().call_soon(interrupt)
        try:
            await asyncio.Event().wait()
        finally:
            await asyncio.sleep(0)
            ended.append("work")

    def interrupt() -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        run_sync(work())
    assert ended == ["work"]
    assert not run_sync(running_loop()).is_closed()


def test_an_error_is_raised_as_it_is() -> None:
    async def fail() -> None:
        raise RuntimeError("as it is")

    with pytest.raises(RuntimeError, match="as it is"):
        run_sync(fail())


IN_A_LOOP = """
import asyncio
from llamaindex_rag_eval._sync import run_sync

async def answer():
    await asyncio.sleep(0)
    return 42

async def cell():
    print(run_sync(answer()), await answer())

asyncio.run(cell())
"""


def test_works_where_a_loop_runs_already() -> None:
    # In a process of its own: nest-asyncio changes `asyncio.run` for good.
    done = prepared.run([sys.executable, "-c", IN_A_LOOP], check=True)
    assert done.stdout == "42 42\n"
