"""Batch computations over token columns and arrays; the only package that calls the compiled core.

Every kernel processes a whole batch, releases the GIL and runs on the threads that `use_threads` allows. Its
result does not depend on their number.
"""
