"""The projector: what the workers conclude, from Kafka into the store.

`following` follows the broker, batch by batch, of which `fetched` gives what they say; `storing` tells the
room and writes them, together with how far they lead; `entering` has that done, wherever they come from, and
tells the pages;
`taking_back` brings back what was done at the console, where the store has lost it;
`runs` says which run of the store a conclusion belongs to. It runs within `serve`, beside the console, as one
process alone may have the store open.
"""
