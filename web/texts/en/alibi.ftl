question = Can a mere fine on distance replace positions?
doThis = Set a slope to 0: the head sees all words alike. Make it steep: only the nearest are left.
live = In head 1 “again” gives itself { $own } and the word before it { $before }; in head 2 even the first word gets { $first }.
contrast = Shaw learns a score for each distance and shares one beyond the edge. ALiBi has one number a head and goes on for ever.
history = Models trained on short texts fail on long ones. A fine that grows with distance (2022) still works there; RoPE with stretched angles has since become more common.
