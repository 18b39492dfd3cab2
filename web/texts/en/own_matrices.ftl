nothing = There are no numbers here yet.
notJson = This begins as JSON but is not valid JSON. Expected an array of rows of numbers, or an object with a matrix under each name.
notNumber = Expected a number in row { $row }, column { $col }, got “{ $cell }”.
ragged = Row { $row } has { $came ->
    [one] { $came } number
   *[other] { $came } numbers
}; the rows before it have { $expected }.
tooMany = The file has { $came ->
    [one] { $came } matrix
   *[other] { $came } matrices
}; at most { $most } are read.
longText = The text has { $came ->
    [one] { $came } character
   *[other] { $came } characters
}; at most { $most } are read.
noPlace = No matrix of this page has a name of the file ({ $names }). Expected { $expected }.
damaged = The file cannot be read: { $reason }

# Texts beside the field.
controls =
    .title = Own matrices
    .explain = Paste rows of numbers, CSV or JSON, or open a CSV, JSON, npy or safetensors file. Other sizes are taken where the matrices fit each other: bring those that change together, as k and v of one JSON object or in one file. Nothing leaves this page.
    .matrix = Matrix
    .numbers = Numbers
    .use = Use these numbers
    .open = Open a file
theMatrix = The matrix
matrixNamed = Matrix { $name }
notMatrix = { $matrix } must be rows of numbers, got { $came }.
tooLong = { $matrix } has { $came ->
    [one] { $came } row or column
   *[other] { $came } rows or columns
}; at most { $most } are shown.
