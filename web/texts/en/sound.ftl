title = Your sound
question = Where does a frame of 25 ms listen?
local = The sound stays in this browser: it is not sent anywhere.
source = Sound
aia = a – i – a
aeiou = a – e – i – o – u
own = yours
open = Open a sound
record = Use the microphone
stop = Stop recording
recording = Recording, ten seconds at most …
reading = Reading the sound …
sampleNote = Vowels made by code from their formants.
centeredNote = Q = K: the bands of a frame minus their mean, divided by their length: loudness is gone, timbre stays. There are no weights to learn.
rawNote = Raw dot product: every band is 0 or more, so loud frames have large products with all others, and win, whatever vowel they are.
reach = It sees
allFrames = all frames
frame = Frame
less = one step back
more = one step on
diagram = diagram
spectrogram = Log-mel spectrogram
help = Choose a frame with the left and right keys; Enter plays it.
bands = Log-mel spectrogram: 40 bands from 0 (below) to 8 kHz (above); the stronger the shade, the louder; none is 80 dB below the loudest. Below it, the weights of the chosen frame.
five = Its five strongest frames
weight = weight
playClick = play a frame when it is clicked
hear = Hear the sound
hearFrames = Hear the frame and its five
hearNote = A frame is repeated for 0.2 s: 25 ms alone are a click.
back = Designed sound with its lesson
frameAt = { $n }, from { $ms } ms
looks = Frame { $from } gives most to frame { $to }: { $weight }.
around = { $n } before and after
kept = { $kept } of { $all ->
    [one] { $all } pair
   *[other] { $all } pairs
} of frames are kept.
scaleNote = Weights: 0 to { $most }.
first = The first 10 s of { $seconds } s are used.
