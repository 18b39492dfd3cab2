import { plural, type Localized } from '../shell/localized.ts';

export const messages = {
  title: { en: 'Offline', zh: '离线使用' },
  lede: {
    en: 'After one visit every page here works without a network. The files are kept by this browser alone, and nothing about you is sent anywhere.',
    zh: '访问过一次之后，这里的所有页面断网也能使用。文件只保存在这个浏览器里，不会向任何地方发送你的信息。',
  },
  ahead: {
    en: (files: number, size: string, wire: string) =>
      `Fetched ahead: ${plural(files, 'file')}, ${size} on the disk, ${wire} over the network.`,
    zh: (files: number, size: string, wire: string) => `预先下载：${files} 个文件，占用磁盘 ${size}，网络流量 ${wire}。`,
  },
  optional: { en: 'Kept once you have opened them:', zh: '打开过之后才保存的大文件：' },
  phases: {
    unknown: { en: 'Looking…', zh: '正在检查……' },
    unsupported: {
      en: 'This browser keeps no pages for this address: that needs https, and a window that is not private in some browsers. All else works.',
      zh: '浏览器不能为这个网址保存离线页面：需要 https，某些浏览器的无痕窗口也不支持。其他功能不受影响。',
    },
    off: { en: 'Not kept. Nothing is fetched ahead.', zh: '未保存，也不会预先下载。' },
    spared: {
      en: 'Not kept: your device asks to save data, so nothing is fetched ahead until you say so.',
      zh: '未保存：你的设备开启了省流量模式，在你同意之前不会预先下载。',
    },
    kept: { en: 'Kept: all pages work offline.', zh: '已保存：所有页面都可离线使用。' },
    failed: { en: 'Not kept.', zh: '未保存。' },
  },
  fetching: { en: (percent: number) => `Being fetched: ${percent}%`, zh: (percent: number) => `正在下载：${percent}%` },
  failures: {
    quota: {
      en: (path: string) => `The browser has no room left (at ${path}). Nothing was kept; the pages work as before.`,
      zh: (path: string) => `浏览器的存储空间不足（${path}）。没有保存任何文件，页面照常使用。`,
    },
    network: {
      en: (path: string) => `${path} did not arrive. What has arrived stays, and the next try goes on from there.`,
      zh: (path: string) => `${path} 未能下载。已下载的部分会保留，下次从这里继续。`,
    },
    changed: {
      en: (path: string) =>
        `${path} is not the file that was built: the server may be in the middle of an update. Try again later.`,
      zh: (path: string) => `${path} 与发布的文件不一致：服务器可能正在更新，请稍后再试。`,
    },
  },
  keep: { en: 'Keep for offline use', zh: '保存以供离线使用' },
  remove: { en: 'Remove from this browser', zh: '从浏览器中删除' },
  newVersion: { en: 'A new version of this page is ready.', zh: '本页有新版本。' },
  take: { en: 'Use it now', zh: '立即更新' },
  later: { en: 'Later', zh: '以后再说' },
  takenElsewhere: {
    en: 'Another tab has moved to a new version. This one goes on as it is.',
    zh: '另一个标签页已更新到新版本，本页仍按旧版本运行。',
  },
  reload: { en: 'Reload', zh: '重新加载' },
  threads: { en: 'Threads', zh: '多线程' },
  threadsText: {
    en: 'Browsers give several threads to a page only if its server sends two headers, COOP and COEP. A host of plain files cannot send them; the offline copy can add them. Results do not depend on it, only times do.',
    zh: '只有服务器发送 COOP 和 COEP 两个响应头，浏览器才允许网页使用多线程。静态文件服务器通常无法发送，离线副本可以代为添加。结果不变，只影响计算时间。',
  },
  threadsSwitch: { en: 'Add the headers for threads', zh: '添加多线程所需的响应头' },
  isolated: { en: 'Threads are possible on this page now.', zh: '本页现在可以使用多线程。' },
  notIsolated: { en: 'This page runs on one thread now.', zh: '本页目前只用一个线程。' },
  notGiven: {
    en: 'The headers are added, but this browser still gives the page one thread. Everything works as before.',
    zh: '响应头已添加，但浏览器仍只允许单线程。一切照常运行。',
  },
  needsKept: { en: 'Keep the page for offline use first.', zh: '请先保存离线副本。' },
} satisfies Record<string, Localized<unknown> | Record<string, Localized<unknown>>>;

/** "6.1 MB" */
export const megabytes = (bytes: number): string => `${(bytes / 1e6).toFixed(1)} MB`;
