"""What silently ruins scores: checks of one text, of a pair of texts, and of a whole layout of files."""
