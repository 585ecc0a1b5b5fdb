"""Files: opened with gzip and xz undone, written whole or not at all, and kept in a cache."""
