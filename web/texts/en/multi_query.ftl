question = What do three questions get from one sentence?
doThis = Ask the three as one, their mean: the answers run together. Then lower the scale.
live = “who” gives cat { $cat }, “does what” gives chases { $chases }, “where” gives home { $home }.
contrast = Several queries read one set of keys and values. A head of multi-head attention also looks at them through matrices of its own.
history = One query gives one average. Textbooks call several of them multi-head; the heads of 2017 add the projections that this form lacks.

textbook1 =
    .writes = “multi-head attention”: att((K, V), q_1) ⊕ … ⊕ att((K, V), q_M)
    .means = Several queries of one set of keys and values. Multi-head attention has W_q, W_k, W_v for each head besides.
