order = Passes
rowColumn = row, then column
columnRow = column, then row
rowRow = row twice
picture = Picture
row = row
column = column
both = after both
steps = What the chosen pixel sees
rowTitle = row
columnTitle = column
weight = weight
share = share in the output
pass = { $n }: along its { $axis }
pairs = Both passes together: { $pairs ->
    [one] { $pairs } pair
   *[other] { $pairs } pairs
}; all pairs would be { $all }.
formula = Formula: n(h + w) = { $count }.
held = After both, the chosen pixel holds something of { $held } of { $all ->
    [one] { $all } pixel
   *[other] { $all } pixels
}.
