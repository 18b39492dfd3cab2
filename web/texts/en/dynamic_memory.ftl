question = How often must a story be read until it answers?
doThis = Step through the passes: a gate opens, the memory changes, other gates open. Then set the passes to 1: the person is known, the place is not.
live = In pass 1 the widest gate is { $first }. The answer is “{ $answer }”.
contrast = There the order of sentences needs an age. Here a GRU reads them in order: what comes later overwrites.
history = A weighted sum forgets in which order facts came. Gates within a recurrent network (2016) read them in order, in several passes. Recurrence is slow, a sentence at a time; Transformers with positions replaced it.

gates_sum =
    .question = In pass 2 two sentences are about john’s journeys. How much do their gates get?
    .choice1 = about ½ each
    .choice2 = about 1 each
    .choice3 = only the last one opens
    .shown = { $gates }. Each gate is a sigmoid of its own; they share nothing out. The later sentence then overwrites the earlier.

textbook1 =
    .writes = four modules: question, input, episodic memory, answer
    .means = Here they are four recurrent networks, GRUs: question, input, episode with memory, answer.
