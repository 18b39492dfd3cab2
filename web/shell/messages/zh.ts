import type { Messages } from './en.ts';

export const zh: Messages = {
  skip: '跳到第一步',
  tagline: '注意力，逐个数字看清楚',
  language: '语言',
  theme: '主题',
  themes: { auto: '自动', light: '浅色', dark: '深色' },
  notation: '记法',
  rows: '行（row）',
  columns: '列（column）',

  edit: '改动它',
  heatmapRole: '热图',
  heatmapHelp: '用方向键移动选中的格子。',
  heatmapEditHelp: '用方向键移动选中的格子，按回车键改动数字。',
  heatmapPaintHelp: '方向键移动，空格键保留或去掉这一对。',
  loading: '正在加载注意力核心……',
  loadFailed: '注意力核心没有加载成功',
  loadFailedBody: '网页本身正常，但负责计算注意力的文件没有送到，或在这里无法运行。宁可什么也不显示，也不显示编造的数字。',
  loadNoSimd: '这个浏览器没有 WebAssembly SIMD，而核心以它为基础。Chrome 91、Firefox 89、Safari 16.4 及更新的版本都有。',
  retry: '再试一次',
  settings: '设置',
  words: '本页的术语',
  offline: '离线使用',
  footer: (variant, version) => `由 fovea ${version}（${variant}，确定性）在你的浏览器里算出。你输入的内容不会离开本页。`,
};
