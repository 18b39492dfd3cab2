question = What does a head see that gets only half of the axes?
doThis = Compare the two heads for the last “saw”; then leave the vectors whole.
live = In head 1, which has the axes of words, the last “saw” gives the first one { $first }; in head 2, which has the positions, it gives itself { $own }.
contrast = Splitting takes the axes as they are. A second stage of matrices lets each head choose what its part holds.
history = Code of multi-head attention splits the projected vectors; done without matrices it is a special case, kept because texts explain it so.
