"""Proofs of the games and of the audit: exact enumeration, and injected faults against found ones."""
