"""Graph without `await`: `from asterism.sync import Graph`, then `with Graph.open() as graph`."""

from asterism.blocking import Blocking, BlockingGraph, BlockingIterator

__all__ = ["Graph", "Iteration", "Part"]

Graph = BlockingGraph
Part = Blocking
Iteration = BlockingIterator
