title = Laboratory
question = What does attention cost on your machine?
methods = Kinds of attention
most = Up to
measure = Measure on this machine
cancel = Cancel
progress = Progress
counted = Counted
measured = Measured
picture = Picture
cancelled = Cancelled. The points that were finished stand.
hidden = The page was hidden while it measured: the point under way is discarded, and measuring has ended. Measure again.
failed = The worker stopped:
countCurve = Multiply-adds by the number of tokens
timeCurve = Time of a call by the number of tokens
xTitle = tokens
countTitle = multiply-adds
timeTitle = milliseconds
predicted = Faint: predicted from the last point by the counted work, not measured.
tokens = Tokens
fewer = Half as many
more = Twice as many
kind = Kind
pairs = pairs
multiplyAdds = multiply-adds
time = time, ms
quartiles = quartiles
runs = runs
rate = GFLOP/s
share = of the limit
limit = limit of one core
error = error
rank = rank
sideBySide = Side by side on one input
tooShort = too short to time
published = Beside other packages: published, not measured here
publishedCurve = Rate of exact attention by package, higher is faster

# The table of this browser.
doctor =
    .title = What this browser can run
    .question = The core comes in four builds. This loads each of them, computes with it, and shows which one load() takes here.
    .examine = Examine this browser
    .examining = Four builds are loaded …
    .build = build or call
    .works = works
    .says = what the package says
    .yes = yes
    .no = no

stop = { $kind } stops before { $n ->
    [one] { $n } token
   *[other] { $n } tokens
}: a call would take about { $predicted }.
seconds = { $s } s
gigabytes = { $gb } GB of memory
machine = Measured with { $variant }, { $threads ->
    [one] { $threads } thread
   *[other] { $threads } threads
}, { $isolation }; timer step { $step } ms. One core multiplies and adds at most { $limit } GFLOP/s in a loop without memory. One head, width { $width }.
isolated = page isolated
notIsolated = page not isolated
input = Queries, keys and values are one sequence of seeded random vectors, each much like the one before; now and then an early one comes again. Error: ‖output − exact‖ / ‖exact‖ and rank of the matrix of weights, both over { $n ->
    [one] { $n } token
   *[other] { $n } tokens
}. Sparse is causal, beside causal exact attention.
repeats = A time is the median of repeats that last 50 ms or more together. GFLOP/s count two operations a multiply-add, and no softmax.
publishedRun = One run of the benchmark, { $date }: { $machine }, { $processors } cores, { $browser }, one thread, { $heads } heads of width { $width }. Its limit: { $limit } GFLOP/s. Other machines, other times.
choose = Choose at least one kind.
now = { $kind }, { $n } tokens
errorsNow = { $kind }: error and rank
