# Why something that a visitor brought cannot be used.
refusals =
    .notImage = The browser cannot read this file as an image. The picture shown before is still there.
    .notSound = The browser cannot read this file as sound. The sound shown before is still there.
    .empty = The file is empty.
    .short = The sound is shorter than one frame of 25 ms.
    .silent = There is only silence in this sound.
    .noCamera = No camera was found. You can open a file instead.
    .cameraDenied = The browser did not allow the camera. You can allow it in the address bar, or open a file instead.
    .noMicrophone = No microphone was found. You can open a file instead.
    .microphoneDenied = The browser did not allow the microphone. You can allow it in the address bar, or open a file instead.

limits =
    .tooLarge = The file has { $size } MB; at most { $most } MB are read.
    .tooManyPixels = The image has { $size } million pixels; at most { $most } million are read.
