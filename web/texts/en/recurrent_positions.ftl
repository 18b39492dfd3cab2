question = Can a network count positions for a text of any length?
doThis = Let the cell stand still: all beats become equal.
live = Beat 1 gives beat 4 { $fourth } and beat 2 { $second }: the ring of three states finds the beats of the same kind.
contrast = A table needs a row for each position. A recurrent cell makes any number of them from a few weights.
history = Tables end, sinusoids cannot learn. Positions made step by step (2020) do both, but one after another; relative and rotary positions are used instead.
