import type { Localized } from '../shell/localized.ts';

/** Why something that a visitor brought cannot be used. */
export const refusals = {
  notImage: {
    en: 'The browser cannot read this file as an image. The picture shown before is still there.',
    zh: '浏览器无法把这个文件读成图像。之前的图像仍然保留。',
  },
  notSound: {
    en: 'The browser cannot read this file as sound. The sound shown before is still there.',
    zh: '浏览器无法把这个文件读成声音。之前的声音仍然保留。',
  },
  empty: { en: 'The file is empty.', zh: '文件是空的。' },
  short: {
    en: 'The sound is shorter than one frame of 25 ms.',
    zh: '声音比一帧（25 毫秒）还短。',
  },
  silent: { en: 'There is only silence in this sound.', zh: '这段声音里只有静音。' },
  noCamera: {
    en: 'No camera was found. You can open a file instead.',
    zh: '没有找到摄像头，可以改为打开文件。',
  },
  cameraDenied: {
    en: 'The browser did not allow the camera. You can allow it in the address bar, or open a file instead.',
    zh: '浏览器没有允许使用摄像头。可以在地址栏中允许，或改为打开文件。',
  },
  noMicrophone: {
    en: 'No microphone was found. You can open a file instead.',
    zh: '没有找到麦克风，可以改为打开文件。',
  },
  microphoneDenied: {
    en: 'The browser did not allow the microphone. You can allow it in the address bar, or open a file instead.',
    zh: '浏览器没有允许使用麦克风。可以在地址栏中允许，或改为打开文件。',
  },
} satisfies Record<string, Localized>;

export const limits = {
  tooLarge: {
    en: (size: string, most: string) => `The file has ${size} MB; at most ${most} MB are read.`,
    zh: (size: string, most: string) => `文件有 ${size} MB；最多读取 ${most} MB。`,
  },
  tooManyPixels: {
    en: (size: string, most: string) => `The image has ${size} million pixels; at most ${most} million are read.`,
    zh: (size: string, most: string) => `图像有 ${size} 百万像素；最多读取 ${most} 百万像素。`,
  },
} satisfies Record<string, Localized<unknown>>;
