"""Programmes away from the tables: the coupons, and the ledgers of cage, count room and finance."""
