"""The command line: argv in, exit code out."""

import gc

# Before the first import: modules are not garbage, and searching them took a tenth of a short command's time.
gc.set_threshold(200_000, 20, 20)
