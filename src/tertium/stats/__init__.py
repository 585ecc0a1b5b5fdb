"""Statistics over arrays: correlation, significance, resampling, agreement of raters. No file, no metric, no paper."""
