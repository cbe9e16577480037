"""The board: which alerts there are, in which queue each stands, what rings, what is due.

Pure: it is told what was concluded, what was done and what time it is. `queues` says where an alert belongs,
`ringing` whether it may be heard, `due` until when someone is to look; `board` keeps them all.
"""
