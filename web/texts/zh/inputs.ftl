refusals =
    .notImage = 浏览器无法把这个文件读成图像。之前的图像仍然保留。
    .notSound = 浏览器无法把这个文件读成声音。之前的声音仍然保留。
    .empty = 文件是空的。
    .short = 声音比一帧（25 毫秒）还短。
    .silent = 这段声音里只有静音。
    .noCamera = 没有找到摄像头，可以改为打开文件。
    .cameraDenied = 浏览器没有允许使用摄像头。可以在地址栏中允许，或改为打开文件。
    .noMicrophone = 没有找到麦克风，可以改为打开文件。
    .microphoneDenied = 浏览器没有允许使用麦克风。可以在地址栏中允许，或改为打开文件。

limits =
    .tooLarge = 文件有 { $size } MB；最多读取 { $most } MB。
    .tooManyPixels = 图像有 { $size } 百万像素；最多读取 { $most } 百万像素。
