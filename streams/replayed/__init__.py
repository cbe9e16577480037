"""A floor that plays on inside one process, without Kafka: recorded or simulated frames, judged as they come.

`source` gives the frames in the order of their receipt; `playing` judges and stores them at a chosen speed.
A gateway's receipt is stamped anew, as frames are received now; what the devices tell, their clocks too,
stays as it was. What lies face down reaches nobody: only conclusions and how the tables stand are stored.
"""
