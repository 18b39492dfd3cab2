question = What if only the distance between two words counts?
doThis = Move the bump of the table from −1 to +1: all words turn to the one after them.
live = The second “I” gives the word before it, “THAT”, the weight { $before }. The first “I” and “BELIEVE” are both two or more words away and share a row of the table: { $first } and { $second }.
contrast = Shaw adds a learned vector for each distance to the keys. RoPE needs no table: it turns queries and keys.
history = Absolute positions learn the same habit again at every position. A table by distance (2018) learns it once; ALiBi and RoPE do without the table.
