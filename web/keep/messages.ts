import type { Localized } from '../shell/localized.ts';
import type { Problem } from './codec.ts';

export const messages = {
  bar: { en: 'Keep and share', zh: '保存与分享' },
  undo: { en: 'Undo', zh: '撤销' },
  redo: { en: 'Redo', zh: '重做' },
  copyLink: { en: 'Copy link', zh: '复制链接' },
  linkCopied: { en: 'Link copied', zh: '链接已复制' },
  save: { en: 'Save as file', zh: '存为文件' },
  open: { en: 'Open file', zh: '打开文件' },
  tooLarge: {
    en: 'This page holds more than fits in a link. Save it as a file to pass it on.',
    zh: '这一页的内容放不进链接，请存为文件再分享。',
  },
  filesOnly: {
    en: 'Images and sounds are kept in files only. A link opens the page without them.',
    zh: '图像和声音只保存在文件里，链接打开的页面不含它们。',
  },
  dismiss: { en: 'Close', zh: '关闭' },
} satisfies Record<string, Localized>;

/** Why a link or a file opened the page as it begins. */
export const problems: Readonly<Record<Problem | 'refused', { link: Localized; file: Localized }>> = {
  broken: {
    link: { en: 'This link is damaged, so the page opens as it begins.', zh: '这个链接已损坏，页面按初始状态打开。' },
    file: {
      en: 'This file holds no state of a fovea page. The page stays as it was.',
      zh: '这个文件不是 fovea 页面的状态，页面保持不变。',
    },
  },
  version: {
    link: {
      en: 'This link comes from another version of the page, so the page opens as it begins.',
      zh: '这个链接来自另一个版本，页面按初始状态打开。',
    },
    file: {
      en: 'This file comes from another version of the page. The page stays as it was.',
      zh: '这个文件来自另一个版本，页面保持不变。',
    },
  },
  large: {
    link: { en: 'This link is too long to be read, so the page opens as it begins.', zh: '这个链接过长，页面按初始状态打开。' },
    file: { en: 'This file is larger than 32 MB, so it is not read.', zh: '这个文件超过 32 MB，未读取。' },
  },
  refused: {
    link: {
      en: 'A part of this link does not belong to this page. That part is left as it begins.',
      zh: '链接中有一部分不属于本页，这部分保持初始状态。',
    },
    file: {
      en: 'A part of this file does not belong to this page. That part is left as it begins.',
      zh: '文件中有一部分不属于本页，这部分保持初始状态。',
    },
  },
};
