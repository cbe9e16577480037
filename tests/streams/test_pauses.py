"""What keeps a process from long pauses, and its memory level."""

import gc
from pathlib import Path

import pyarrow as pa

from projections.store.store import Store
from streams.processes import collect_seldom, freeze_loaded_objects, loading
from tests.builders.round_records import UNDERPAID
from tests.builders.stores import RUN, judge_record


def test_what_is_loaded_is_not_looked_through_again() -> None:
    kept: list[list[int]] = [[] for _ in range(1000)]  # each is something that the collector follows
    try:
        freeze_loaded_objects()
        assert gc.get_freeze_count() > len(kept)
        assert not any(each is kept for each in gc.get_objects())
    finally:
        gc.unfreeze()
    assert any(each is kept for each in gc.get_objects())


def test_an_audit_looks_for_garbage_seldom_and_finds_it_all_the_same() -> None:
    before, collections = gc.get_threshold(), gc.get_stats()[0]["collections"]
    gc.collect()
    try:
        collect_seldom()
        kept: list[list[int]] = [[] for _ in range(50_000)]
        assert gc.get_stats()[0]["collections"] == collections
        kept += [[] for _ in range(100_000)]
        assert gc.get_stats()[0]["collections"] > collections
    finally:
        gc.set_threshold(*before)


def test_it_is_loaded_without_a_collection_and_not_looked_through_afterwards() -> None:
    try:
        with loading():
            assert not gc.isenabled()
            kept: list[list[int]] = [[] for _ in range(1000)]
        assert gc.isenabled()
        assert not any(each is kept for each in gc.get_objects())
    finally:
        gc.unfreeze()


def test_a_store_that_is_written_for_days_gives_back_what_a_batch_took(path: Path) -> None:
    before = pa.default_memory_pool()
    pa.set_memory_pool(pa.mimalloc_memory_pool())
    try:
        with Store(path) as store:
            store.write(RUN, [judge_record(UNDERPAID)])
            assert pa.default_memory_pool().backend_name == "system"
    finally:
        pa.set_memory_pool(before)
