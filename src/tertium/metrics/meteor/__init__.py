"""METEOR: its tokens, its aligner and its formula; REDp borrows the aligner."""
