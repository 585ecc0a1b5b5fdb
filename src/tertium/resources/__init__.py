"""Resources that metrics use: word vectors, parsers, word lists, presets."""
