title = 离线使用
lede = 访问过一次之后，这里的所有页面断网也能使用。文件只保存在这个浏览器里，不会向任何地方发送你的信息。
ahead = 预先下载：{ $files } 个文件，占用磁盘 { $size }，网络流量 { $wire }。
optional = 打开过之后才保存的大文件：

phases =
    .unknown = 正在检查……
    .unsupported = 浏览器不能为这个网址保存离线页面：需要 https，某些浏览器的无痕窗口也不支持。其他功能不受影响。
    .off = 未保存，也不会预先下载。
    .spared = 未保存：你的设备开启了省流量模式，在你同意之前不会预先下载。
    .kept = 已保存：所有页面都可离线使用。
    .failed = 未保存。

fetching = 正在下载：{ $percent }%

failures =
    .quota = 浏览器的存储空间不足（{ $path }）。没有保存任何文件，页面照常使用。
    .network = { $path } 未能下载。已下载的部分会保留，下次从这里继续。
    .changed = { $path } 与发布的文件不一致：服务器可能正在更新，请稍后再试。

keep = 保存以供离线使用
remove = 从浏览器中删除
newVersion = 本页有新版本。
take = 立即更新
later = 以后再说
takenElsewhere = 另一个标签页已更新到新版本，本页仍按旧版本运行。
reload = 重新加载
threads = 多线程
threadsText = 只有服务器发送 COOP 和 COEP 两个响应头，浏览器才允许网页使用多线程。静态文件服务器通常无法发送，离线副本可以代为添加。结果不变，只影响计算时间。
threadsSwitch = 添加多线程所需的响应头
isolated = 本页现在可以使用多线程。
notIsolated = 本页目前只用一个线程。
notGiven = 响应头已添加，但浏览器仍只允许单线程。一切照常运行。
needsKept = 请先保存离线副本。
