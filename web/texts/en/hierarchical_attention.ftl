question = Which sentence decides, and which word in it?
doThis = Replace the last word of sentence 3 by “awful”. The word’s bar grows, the bar of its sentence grows, and the verdict moves.
live = Word 5 of sentence 2 has { $great } of its sentence, the sentence { $sentence } of the text, which is positive with { $positive }. The GRUs only pass moods on.
contrast = A mean over all words weighs “the” like “great” and forgets where sentences end. Here each level chooses.
history = A recurrent network that reads a whole text at once forgets its beginning. HAN (2016) reads words, then sentences. Transformers with long windows replaced it; very long texts are still read in levels.

great_and_awful =
    .question = One sentence says “great”, another now says “awful”. How is the weight shared between them?
    .choice1 = The positive one keeps nearly all
    .choice2 = About half each
    .choice3 = The later one takes nearly all
    .shown = They get { $great } and { $bad }: the level looks for a mood, good or bad. The text is positive with { $positive }.

textbook1 =
    .writes = r_t, the forget gate
    .means = It is the GRU’s reset gate. The paper’s z is 1 − z of PyTorch, whose order is used here.
