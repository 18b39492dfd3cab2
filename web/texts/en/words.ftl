title = Words of this page
lede = What each term means, its name in both languages, other names that textbooks use, and where the Chinese word is from.
find = Find a word
none = This word is not in the list.
count = { $n ->
    [one] { $n } term
   *[other] { $n } terms
}
english = English
chinese = Chinese
meaning = Meaning
also = Also
source = Source
