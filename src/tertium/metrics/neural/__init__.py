"""Metrics that a neural network computes, with a checkpoint of the user."""
