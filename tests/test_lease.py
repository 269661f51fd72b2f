"""Renewal of a lease beside the work under it."""

import asyncio

import pytest

from asterism import lease
from asterism.lease import renewing


class Renewal:
    """A renewal that lasts until it is let go, and tells how far it has come."""

    def __init__(self) -> None:
        self.begun, self.let_go = asyncio.Event(), asyncio.Event()
        self.cut_off, self.done_thrice = asyncio.Event(), asyncio.Event()
        self.count = 0

    async def __call__(self) -> None:
        self.begun.set()
        try:
            await self.let_go.wait()
        except asyncio.CancelledError:
            self.cut_off.set()
            raise
        self.count += 1
        if self.count == 3:
            self.done_thrice.set()


async def test_a_renewal_that_has_begun_ends_with_the_work() -> None:
    renewal = Renewal()
    async with renewing(0.01, renewal):
        await renewal.begun.wait()
        asyncio.get_running_loop().call_later(0.05, renewal.let_go.set)
    assert renewal.count == 1
    assert not renewal.cut_off.is_set()


async def test_one_that_never_ends_is_cut_off(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lease, "GRACE_SECONDS", 0.05)
    renewal = Renewal()
    async with renewing(0.01, renewal):
        await renewal.begun.wait()
    assert renewal.cut_off.is_set()


async def test_whoever_is_cancelled_meanwhile_stays_cancelled() -> None:
    renewal = Renewal()

    async def work() -> None:
        async with renewing(0.01, renewal):
            await renewal.begun.wait()

    task = asyncio.create_task(work())
    await renewal.begun.wait()
    await asyncio.sleep(0)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    await renewal.cut_off.wait()


async def test_it_is_renewed_again_and_again_and_an_error_reaches_the_work() -> None:
    renewal = Renewal()
    renewal.let_go.set()
    async with renewing(0.01, renewal):
        await renewal.done_thrice.wait()

    failed = asyncio.Event()

    async def fail() -> None:
        failed.set()
        raise RuntimeError("no such lease")

    with pytest.raises(RuntimeError, match="no such lease"):
        async with renewing(0.01, fail):
            await failed.wait()
