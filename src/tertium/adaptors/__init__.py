"""Tertium's metrics inside other frameworks: the Trainer of Hugging Face, torchmetrics, eole and lm-evaluation-harness."""
