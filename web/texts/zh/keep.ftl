bar = 保存与分享
undo = 撤销
redo = 重做
copyLink = 复制链接
linkCopied = 链接已复制
save = 存为文件
open = 打开文件
tooLarge = 这一页的内容放不进链接，请存为文件再分享。
filesOnly = 图像和声音只保存在文件里，链接打开的页面不含它们。
dismiss = 关闭

problems-broken =
    .link = 这个链接已损坏，页面按初始状态打开。
    .file = 这个文件不是 fovea 页面的状态，页面保持不变。

problems-version =
    .link = 这个链接来自另一个版本，页面按初始状态打开。
    .file = 这个文件来自另一个版本，页面保持不变。

problems-large =
    .link = 这个链接过长，页面按初始状态打开。
    .file = 这个文件超过 32 MB，未读取。

problems-refused =
    .link = 链接中有一部分不属于本页，这部分保持初始状态。
    .file = 文件中有一部分不属于本页，这部分保持初始状态。
