"""Checks: metrics that count faults which a release must not have, such as wrong numbers or lost tags."""
