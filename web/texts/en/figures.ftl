perMatrix = one scale for the whole matrix
perAll = one scale for all pictures
perRow = a scale for each row
perColumn = a scale for each column
eachRow = Row by row
eachColumn = Column by column
largest = largest
log = Logarithmic
masked = hatched: masked
picture = Picture

# The seed by which a pattern or a feature map is drawn.
seed = random by definition, seed { $seed }
more = Show or save: { $name }
saveAs = Save as { $kind }
notSaved = This browser could not make the file.
savePicture = Save a picture
showTable = Table
# "query 它, key 猫, weight 0.50, 2nd of 8"
reading = { $place }, { $quantity } { $value }, { ORDINAL($rank) } of { $count }
# Between the parts of a place, and of what the colors of a saved picture say.
joint = { ", " }
colors = color from { $from } to { $end }
edit = Change it
heatmapRole = heatmap
heatmapHelp = Arrow keys move the selected cell.
heatmapEditHelp = Arrow keys move the selected cell, Enter changes its number.
heatmapPaintHelp = Arrow keys move, Space keeps the pair or leaves it out.
