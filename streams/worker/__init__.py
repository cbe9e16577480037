"""The worker: frames of Kafka into conclusions, each applied once.

`agents` is what Faust runs, in order: apply, send, store the state, acknowledge. `tables` applies
`deliveries` and knows what was applied, `refold` reads what is between a state and the next frame,
`conclusion_sender` brings conclusions to Kafka. The application itself is in streams.app, where Faust looks
for it.
"""
