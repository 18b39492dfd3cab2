question = How can “France” find “Paris” if the two share nothing?
doThis = Press the cell France–Tokyo in W: a weight moves to Tokyo. Then take W = I.
live = “France” gives Tokyo, Beijing and Paris the weights { $weights }.
contrast = The dot product has no table: it compares each axis with itself alone.
history = The dot product compares like with like only, and needs equal widths. Luong’s “general” score (2015) learns what goes with what. Separate projections of queries and keys (2017) replaced W: W = Wq Wk⊤.

identity_table =
    .question = With W = I, how much does “Japan” give to “Tokyo”?
    .choice1 = Nearly all
    .choice2 = A third
    .choice3 = Nothing
    .shown = { $weight }: all three scores are 0, and equal scores get equal weights.
