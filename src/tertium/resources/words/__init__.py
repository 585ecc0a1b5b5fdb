"""Word lists, synonyms and paraphrases."""
