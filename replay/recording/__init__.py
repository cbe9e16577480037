"""Recordings, opened and audited in one way: a file, an archive, what Kafka has."""
