question = Where is the football? No sentence of the story says it.
doThis = Press Next: watch what the query asks for after each hop. Then let all hops share one table, and go again. Take sentences out of the memory, too.
live = Hop 1 gives its strongest sentence { $one }, hop 2 { $two }. The answer is “{ $answer }”.
contrast = Here a sentence is found by its own words, and other tables decide what it gives. There key and value are written apart from the start.
history = One hop finds one fact, but answers may need several. Earlier memory networks (2014) had to be told which facts; end-to-end ones (2015) learn it by soft attention. Transformers replaced them: each layer is a hop.

shared_table =
    .question = All hops use one table. Which sentence does hop 2 read?
    .choice1 = john went to bedroom
    .choice2 = john took the football, once more
    .choice3 = all alike
    .shown = “{ $sentence }” with { $weight }. What finds a thing gives back that thing, so the query asks for it again.

textbook1 =
    .writes = q⁽ᵗ⁺¹⁾ = q⁽ᵗ⁾ + c⁽ᵗ⁾
    .means = u is the query here and o the context: the same sum.
