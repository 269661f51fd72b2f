"""Store: values under a namespace and a key, whose texts are memories of the realm."""

from asterism.store.filters import Comparisons
from asterism.store.models import Deletion, Put, Stored
from asterism.store.store import ItemStore

__all__ = ["Comparisons", "Deletion", "ItemStore", "Put", "Stored"]
