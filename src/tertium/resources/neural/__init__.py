"""Checkpoints of neural metrics, run by the packages of their authors; nothing is downloaded."""
