"""What runs beside the tables: the coupon programme, and the ledgers of cage, count room and finance."""
