question = Does one sentence follow from another, if only words are compared?
doThis = Reorder the premise to “cats chase women” and look at the verdict. Then exchange the two sentences.
live = The hypothesis follows with probability { $follows }.
contrast = No decoder writes words here: both sentences are there from the start, and each attends to the other with the same scores.
history = Inference was done by large recurrent networks that could not run in parallel. Parikh (2016) aligned words and summed the comparisons, with a tenth of the parameters. Pretrained Transformers replaced it.

premise_reordered =
    .question = “women chase cats” becomes “cats chase women”. What happens to the probability that “people chase animals” follows?
    .choice1 = It falls
    .choice2 = It stays the same
    .choice3 = It rises
    .shown = { $before } before, { $after } after. The comparisons are summed, and a sum has no order: who chases whom is not seen.

textbook1 =
    .writes = F is computed l_a ⊕ l_b times
    .means = l_a + l_b times, a sum of two numbers. ⊕ puts vectors side by side, as in v_1 ⊕ v_2.
