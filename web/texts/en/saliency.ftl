question = What stands out before anyone has asked?
doThis = Change the question. The attention weights move to other words; the gates stay, because no query takes part in them.
live = The gate of “cat” is open to { $cat }, that of “the” to { $the }, whatever is asked.
contrast = Each gate opens by itself, and several may be open. In structured self-attention the words of a row compete: its weights sum to 1.
history = A mean counts “the” as much as “cat”. Max pooling and gates let words stand out by themselves; where there is a question, attention with a query replaced them. Gates live on inside LSTMs and gated layers.

pooled_twice =
    .question = The sentence is read twice in a row. What becomes of its two summaries?
    .choice1 = The maximum stays, the gated sum doubles
    .choice2 = Both stay
    .choice3 = Both double
    .shown = The maximum goes from { $max } to { $same }, the gated sum from { $sum } to { $doubled }.
