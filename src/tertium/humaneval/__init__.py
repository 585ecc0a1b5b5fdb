"""Human judgments alone: which system do human judges prefer, how certain is that, and do the raters agree?

A *judgment* is a score that one *rater* gave one *output*; an *item* is the segment that it belongs to. A *campaign* is all judgments of
one language pair, with the documents of its items and, for MQM, the error *spans*. A *ranking* orders the systems of a campaign by a
method (means, z-scores or a mixed model) with tests over whole documents, letters and rank ranges. *Variance components* say how much of
the variance is due to systems, items, raters and noise; a *plan* computes from them how many judgments a difference needs.
"""
