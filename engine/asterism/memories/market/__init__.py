"""Market evidence: readers of trade files and exchange streams, and the rule of price levels."""
