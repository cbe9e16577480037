"""The projector: writes the conclusions of the workers from Kafka into the store.

`kafka_follower` follows the broker; `record_batch` decodes the records of a batch; `forged_input` raises
alerts about refused senders; `writer` updates the alerts and writes a batch together with its offsets;
`ingest` does this for batches from any source and notifies the pages; `restore` brings back actions of the
console that the store has lost. The projector runs within `serve`, beside the console, as only one process
may have the store open.
"""
