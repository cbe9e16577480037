"""The rooms beside the queue: floor, tables and their days, shoes, coupons, reports, health."""
