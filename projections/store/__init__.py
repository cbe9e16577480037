"""The store of conclusions: its form (store.sql), its one writer, and what is read from it."""
