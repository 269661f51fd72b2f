"""Reading ahead: nothing waits for ever, and nothing goes on, whichever side fails."""

import asyncio
import threading
from collections.abc import Awaitable, Callable
from contextlib import aclosing
from typing import Any

import pytest

from asterism.transfer.read_ahead import in_thread, read_ahead


class Parts:
    """Some numbers, each read in a thread, and then a fault."""

    def __init__(self, count: int) -> None:
        self.count = count
        self.read = 0
        self.failed = asyncio.Event()
        self.loop = asyncio.get_running_loop()

    def following(self) -> int | None:
        if self.read == self.count:
            self.loop.call_soon_threadsafe(self.failed.set)
            raise OSError("the disk is gone")
        self.read += 1
        return self.read

    async def used_by(self, work: Callable[[int], Awaitable[Any]]) -> None:
        async with aclosing(read_ahead(lambda: in_thread(self.following))) as ahead:
            async for number in ahead:
                await work(number)


async def test_each_part_comes_once_in_order_and_then_the_fault() -> None:
    worked: list[int] = []

    async def work(number: int) -> None:
        worked.append(number)

    with pytest.raises(OSError, match="the disk is gone"):
        await Parts(5).used_by(work)
    assert worked == [1, 2, 3, 4, 5]


async def test_the_next_part_is_read_while_this_one_is_worked_on() -> None:
    parts = Parts(1)
    with pytest.raises(OSError, match="the disk is gone"):
        await parts.used_by(lambda _: asyncio.wait_for(parts.failed.wait(), 30))


async def test_a_fault_of_the_caller_ends_the_reader_whose_own_fault_is_no_second_one() -> None:
    complaints: list[Any] = []
    asyncio.get_running_loop().set_exception_handler(lambda _, context: complaints.append(context))
    before, parts = asyncio.all_tasks(), Parts(1)

    async def work(_: int) -> None:
        await parts.failed.wait()
        raise ValueError("full")

    with pytest.raises(ValueError, match="full"):
        await parts.used_by(work)
    assert asyncio.all_tasks() == before
    assert complaints == []


async def test_cancelled_it_ends_after_its_thread() -> None:
    begun, go_on, ended = threading.Event(), threading.Event(), threading.Event()

    def work() -> None:
        begun.set()
        go_on.wait()
        ended.set()

    working = asyncio.create_task(in_thread(work))
    await asyncio.to_thread(begun.wait)
    working.cancel()
    await asyncio.wait([working], timeout=0.01)
    assert not working.done()
    go_on.set()
    with pytest.raises(asyncio.CancelledError):
        await working
    assert ended.is_set()
