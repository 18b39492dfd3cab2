title = Offline
lede = After one visit every page here works without a network. The files are kept by this browser alone, and nothing about you is sent anywhere.
ahead = Fetched ahead: { $files ->
    [one] { $files } file
   *[other] { $files } files
}, { $size } on the disk, { $wire } over the network.
optional = Kept once you have opened them:

phases =
    .unknown = Looking…
    .unsupported = This browser keeps no pages for this address: that needs https, and a window that is not private in some browsers. All else works.
    .off = Not kept. Nothing is fetched ahead.
    .spared = Not kept: your device asks to save data, so nothing is fetched ahead until you say so.
    .kept = Kept: all pages work offline.
    .failed = Not kept.

fetching = Being fetched: { $percent }%

failures =
    .quota = The browser has no room left (at { $path }). Nothing was kept; the pages work as before.
    .network = { $path } did not arrive. What has arrived stays, and the next try goes on from there.
    .changed = { $path } is not the file that was built: the server may be in the middle of an update. Try again later.

keep = Keep for offline use
remove = Remove from this browser
newVersion = A new version of this page is ready.
take = Use it now
later = Later
takenElsewhere = Another tab has moved to a new version. This one goes on as it is.
reload = Reload
threads = Threads
threadsText = Browsers give several threads to a page only if its server sends two headers, COOP and COEP. A host of plain files cannot send them; the offline copy can add them. Results do not depend on it, only times do.
threadsSwitch = Add the headers for threads
isolated = Threads are possible on this page now.
notIsolated = This page runs on one thread now.
notGiven = The headers are added, but this browser still gives the page one thread. Everything works as before.
needsKept = Keep the page for offline use first.
