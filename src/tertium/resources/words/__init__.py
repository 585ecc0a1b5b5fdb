"""What is known of words: function words, abbreviations, synonyms and paraphrases."""
