"""What must survive a power cut, in one SQLite file."""

from companion.store.database import StoreError, StoreErrorKind, hindrance, in_use, is_there
from companion.store.games import Outline, StoredGame, StoredMove
from companion.store.records import Ending, Source, Store, StoredDie, StoredRun, StoredThrow, Trust

__all__ = [
    "Ending",
    "Outline",
    "Source",
    "Store",
    "StoreError",
    "StoreErrorKind",
    "StoredDie",
    "StoredGame",
    "StoredMove",
    "StoredRun",
    "StoredThrow",
    "Trust",
    "hindrance",
    "in_use",
    "is_there",
]
