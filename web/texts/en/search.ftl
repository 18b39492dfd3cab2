mechanisms = Mechanisms
search = Search
none = Nothing found. Try the name of a mechanism, a term or an author.
count = { $n ->
    [one] { $n } page
   *[other] { $n } pages
}
step = step { $n } of the course
family = family
map = All mechanisms by family and year
mapLede = Nine families, each in the order of its papers. Every mechanism has a page that computes it in your browser.
words = Words of this page
from = made from { $parent }
