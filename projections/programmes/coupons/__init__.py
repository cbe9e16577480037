"""Match Play Coupons from printing to destruction: 603a.20, 603a.21(a)-(e) and 465a.6(c)(2).

`ledger` is what is known of every coupon, `fold` how each event changes it, `checks` ask whether the event
was as the text has it, and `judging` puts them together.
"""
