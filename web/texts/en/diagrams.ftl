diagram = diagram
planeHelp = Move the arrow with the arrow keys.
barsHelp = Choose a row with the up and down keys.
barsDragHelp = Choose a row with the up and down keys; change its score with left and right.
curveHelp = Read the curve with the left and right keys.
netHelp = Choose a token with the left and right keys.
left = to the left
right = to the right
up = up
down = down
less = less
more = more
name = name

# Texts that are read aloud.
spoken =
    .point = { $name }: { $x }, { $y }
    .row = { $name }: { $values }; { $place } of { $count }
    .button = { $name } { $direction }
