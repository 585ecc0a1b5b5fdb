"""METEOR: its tokens, its alignment and its formula."""
