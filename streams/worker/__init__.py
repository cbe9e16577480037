"""The worker: frames of Kafka into conclusions, each applied once.

`agents` is what Faust runs, in order: apply, send, keep the state, acknowledge. `tables` applies `records`
and knows what was applied, `reading_again` reads what lies between a state and the next frame, `sending`
brings what was concluded to Kafka. The application itself stands in streams.app, where Faust looks for it.
"""
