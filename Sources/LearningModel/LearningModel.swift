// Values and words.
