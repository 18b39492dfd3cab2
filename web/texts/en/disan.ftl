question = Must all features of a word look at the same position?
doThis = For “king” compare feature 1 (royal) with feature 2 (male); then give both the same weights.
live = Looking back from “king”, the royal feature gives queen { $queen }, the male one gives man { $man }.
contrast = A head has one weight for a pair of words. Here each feature of the value has its own.
history = A recurrent network reads in one direction at a time. DiSAN (2018) reads both ways with masks and weighs each feature, at the price of n²·d scores; heads are cheaper.
