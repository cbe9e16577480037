"""Lists in every form: columns with rows under them, as a table or a page for people, files for programs."""
