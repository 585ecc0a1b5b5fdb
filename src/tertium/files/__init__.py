"""Reading (with gzip and xz decompression), atomic writing, archives and the disk cache."""
