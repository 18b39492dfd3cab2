question = From which length on does leaving out pay?
doThis = Choose a kind, then move the length: where its curve crosses that of full attention, it begins to save work.
live = Full attention scores { $full } pairs, the window { $local }: a ratio of { $ratio }.
contrast = Reformer’s count includes the hashing, which is work without pairs. Counts are not time: how regular the pairs are matters as much.
history = Dozens of x-formers promised less than n². Long Range Arena (2020) compared them on the same tasks. Most large models stayed with exact attention made faster, and with windows.

short_text_cost =
    .question = 64 words, vectors of 64. Which needs fewer multiply-adds: full attention, or Performer with 128 features?
    .choice1 = Full attention
    .choice2 = Performer
    .choice3 = Both alike
    .shown = Full attention { $full }, Performer { $performer }. With fewer words than features, linear attention costs more than it saves.

textbook1 =
    .writes = Many kinds of “xxformer”
    .means = Kinds of attention with less work than n², each named after its Transformer.
