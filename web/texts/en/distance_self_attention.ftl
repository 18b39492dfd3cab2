question = Two words are equal: which one wins, the near or the far?
doThis = Lower α to 0: near and far copies get equal weights.
live = The last “cat” gives the near one { $near } and the far one { $far }; the last “man” still gives its only copy { $man }.
contrast = Both take the distance off the score. ALiBi has a fixed slope for each head and looks back only; here α is one number, in two directions.
history = DiSAN sees the direction but not how far. A mask of −α·distance (2017) adds it; ALiBi brought the idea back in 2022.

textbook1 =
    .writes = { "e^{−∞}" } = 0 as the reason for the distance mask
    .means = Its entries are −distance, which is finite: far words are weakened, not excluded.

textbook2 =
    .writes = S^F and H^F, not defined
    .means = Linear maps of s and h, before the fusion gate.
