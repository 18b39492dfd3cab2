question = Why would anyone choose keys by chance?
doThis = Take 32 words and no global block, then set random to 0 and to 2: compare the layers that all pairs need. Draw again a few times.
live = Keys of the nine words: { $counts }. The second word gives each of its keys { $share }.
contrast = Longformer has the window and the global tokens, and no chance.
history = BigBird (2020) took the draws from the theory of random graphs, for 4096 tokens, and proved that such attention can compute whatever full attention can. In practice, later models left the random part out.

random_or_wider =
    .question = 64 words, five keys each: two neighbors on each side, or one on each side and two at random. Which connects all pairs in fewer layers?
    .choice1 = The wider window
    .choice2 = The random keys
    .choice3 = Both alike
    .shown = The window needs { $wider } layers, the random keys { $random } (seed { $seed }): a shortcut saves many small steps.
