title = Your image
question = Where does a patch of an image look?
local = The image stays in this browser: it is not sent anywhere.
source = Image
scene = shapes
tiny = 5 × 10 pixels
own = yours
open = Open an image
drop = or drop it here
camera = Use the camera
take = Take the picture
closeCamera = Close the camera
live = What the camera sees
reading = Reading the image …
sceneNote = Made by code: a house, half in the shade, a tree, a ball.
tinyNote = 5 × 10 pixels of three numbers, the size that a textbook draws; the colors are ours.
mechanism = Attention
full = whole image
axial = axial
clusters = EM clusters
convolution = as a convolution
patch = Patch
centeredNote = Q = K: the numbers of a patch minus their mean, divided by their length. There are no weights to learn.
rawNote = Raw dot product: every number is 0 or more, so a bright patch has a large product with all others, and wins, whatever its color.
less = one step back
more = one step on
diagram = diagram
pictureHelp = Choose a patch with the arrow keys.
map = Its weights, each at the position of its patch
five = Its five largest weights
result = What it becomes: the mean color by these weights
before = before
after = after
hops = Hops
one = one: its column
two = two: rows, then its column
axialNote = First every patch looks along its row, then along its column. The map holds the product of both weights.
count = Clusters
round = Round
clustersNote = Patches attend to a few bases in place of each other. Each is painted with the colors of its clusters; bases begin as patches of the image.
mine = chosen patch
cluster = cluster
share = of the image
kernel = Kernel
vertical = vertical edges
horizontal = horizontal edges
blur = blur
alpha = α: how sharply each head looks
gray = brightness of the patches
attended = nine heads of attention
convolved = convolution
convolutionNote = Nine heads look by position alone, each at one position in the 3 × 3 kernel: with a large α they are the convolution.
back = Designed scene with its lesson
smaller = Made smaller from { $from } to { $to ->
    [one] { $to } pixel
   *[other] { $to } pixels
}, so that there are at most 1024 patches.
patchAt = row { $row }, column { $col }
looks = The patch at { $from } gives most to { $to }: { $weight }.
scaleNote = 0 to { $most }, one scale for this row; a dot’s area is the weight.
pairs = Both hops compute { $pairs ->
    [one] { $pairs } pair
   *[other] { $pairs } pairs
}; the whole image would be { $full }.
differ = The two differ by { $x } at most.
clusterN = cluster { $n }
size = { $patch } × { $patch } pixels: { $rows } × { $cols } = { $count ->
    [one] { $count } patch
   *[other] { $count } patches
}
