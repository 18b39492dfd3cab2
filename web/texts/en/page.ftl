skip = Skip to the first stage
tagline = attention, number by number
language = Language
theme = Theme
bilingual = Bilingual terms
notation = Notation
rows = Rows
columns = Columns
loading = Loading the attention core…
loadFailed = The attention core could not be loaded
loadFailedBody = The page works, but the file that computes attention did not arrive or cannot run here. Nothing is shown rather than something made up.
loadNoSimd = This browser has no WebAssembly SIMD, which the core is built on. Chrome 91, Firefox 89, Safari 16.4 and later have it.
loadStale = A new version came while this page was open. Reload it, and page and core match again.
pageFailed = This part of the page did not arrive
pageFailedBody = The network may be away, or a new version came while the page was open. What stood in the address is kept.
retry = Try again
reload = Reload
settings = Settings
words = Words of this page
offline = Offline
documentation = Documentation
footer = Computed in your browser by fovea { $version } ({ $variant }, deterministic). Nothing you type leaves this page.

# Between the parts of a list.
listJoint = { ", " }

themes =
    .auto = Auto
    .light = Light
    .dark = Dark
