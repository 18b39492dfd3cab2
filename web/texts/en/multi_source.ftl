question = One word has two meanings: can a second language decide between them?
doThis = Step to the noun and switch the German source off, then on: which French noun wins?
live = For the noun, “banque” has the probability { $bank }, “rive” { $shore }.
contrast = Each source has a window and weights of its own, by local-p. The two context vectors stand side by side before the next word is chosen.
history = A sentence in one language may be ambiguous, and many texts exist in several. Zoph and Knight (2016) gave a decoder two encoders. Today one model reads all sources as one long text.

second_source_off =
    .question = The German sentence is taken away. Which French noun wins for “bank”?
    .choice1 = banque
    .choice2 = rive
    .choice3 = Neither
    .shown = “banque” { $bank }, “rive” { $shore }: “bank” by itself says both.

textbook1 =
    .writes = i_f, u_f, o_f, c_f in the child-sum combination
    .means = i, u, o and c: only the forget gate has one version for each source.
