"""Charts: data in, a picture out."""
