"""The board: which alerts there are, in which queue each stands, what rings, what is due.

Pure: it is told what was concluded, what was done and what time it is. `queues` says where an alert belongs,
`coming` when it came and until when someone is to look, `ringing` what was heard of late; `board` keeps all.
`hearing` says what is heard, `taking` what a person takes, `rows` what a page lists, `breaches` what is late.
"""
