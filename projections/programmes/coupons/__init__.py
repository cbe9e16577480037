"""Match Play Coupons from printing to destruction: 603a.20, 603a.21(a)-(e) and 465a.6(c)(2).

`ledger` is the state of every coupon, `fold` how each event changes it, `checks` decide whether the event
complied with the text, and `coupon_audit` runs them in order.
"""
