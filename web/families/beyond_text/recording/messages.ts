import { plural, type Localized } from '../../../shell/localized.ts';

export const messages = {
  title: { en: 'Your sound', zh: '你的声音' },
  question: { en: 'Where does a frame of 25 ms listen?', zh: '25 毫秒的一帧听向哪里？' },
  local: {
    en: 'The sound stays in this browser: it is not sent anywhere.',
    zh: '声音只留在这个浏览器里，不会发送到任何地方。',
  },
  source: { en: 'Sound', zh: '声音' },
  aia: { en: 'a – i – a', zh: 'a – i – a' },
  aeiou: { en: 'a – e – i – o – u', zh: 'a – e – i – o – u' },
  own: { en: 'yours', zh: '你的' },
  open: { en: 'Open a sound', zh: '打开声音' },
  record: { en: 'Use the microphone', zh: '使用麦克风' },
  stop: { en: 'Stop recording', zh: '停止录音' },
  recording: { en: 'Recording, ten seconds at most …', zh: '正在录音，最多十秒……' },
  reading: { en: 'Reading the sound …', zh: '正在读取声音……' },
  sampleNote: { en: 'Vowels made by code from their formants.', zh: '由代码用共振峰合成的元音。' },
  centeredNote: {
    en: 'Q = K: the bands of a frame minus their mean, divided by their length: loudness is gone, timbre stays. There are no weights to learn.',
    zh: 'Q = K：一帧各频带减去均值，再除以长度：响度去掉了，音色留下。没有要学习的参数。',
  },
  rawNote: {
    en: 'Raw dot product: every band is 0 or more, so loud frames have large products with all others, and win, whatever vowel they are.',
    zh: '原始点积：各频带都不小于 0，响的帧与谁相乘都大，于是不管是什么元音，总是响的帧得权重。',
  },
  reach: { en: 'It sees', zh: '看到' },
  allFrames: { en: 'all frames', zh: '全部帧' },
  frame: { en: 'Frame', zh: '帧' },
  less: { en: 'one step back', zh: '后退一步' },
  more: { en: 'one step on', zh: '前进一步' },
  diagram: { en: 'diagram', zh: '图示' },
  spectrogram: { en: 'Log-mel spectrogram', zh: '对数梅尔谱' },
  help: {
    en: 'Choose a frame with the left and right keys; Enter plays it.',
    zh: '用左右键选择帧，按 Enter 播放。',
  },
  bands: {
    en: 'Log-mel spectrogram: 40 bands from 0 (below) to 8 kHz (above); the stronger the shade, the louder; none is 80 dB below the loudest. Below it, the weights of the chosen frame.',
    zh: '对数梅尔谱：自下而上 40 个频带，0 到 8 kHz；颜色越重越响，没有颜色处比最响低 80 分贝。下方是选中帧的权重。',
  },
  five: { en: 'Its five strongest frames', zh: '权重最大的五帧' },
  weight: { en: 'weight', zh: '权重' },
  playClick: { en: 'play a frame when it is clicked', zh: '点帧时播放' },
  hear: { en: 'Hear the sound', zh: '听这段声音' },
  hearFrames: { en: 'Hear the frame and its five', zh: '听这一帧和它的五帧' },
  hearNote: {
    en: 'A frame is repeated for 0.2 s: 25 ms alone are a click.',
    zh: '一帧重复播放 0.2 秒：单独 25 毫秒只是“嗒”的一声。',
  },
  back: { en: 'Designed sound with its lesson', zh: '设计好的声音与讲解' },
} satisfies Record<string, Localized>;

export const sentences = {
  frameAt: {
    en: (n: number, ms: number) => `${n}, from ${ms} ms`,
    zh: (n: number, ms: number) => `第 ${n} 帧，从 ${ms} 毫秒起`,
  },
  looks: {
    en: (from: string, to: string, weight: string) => `Frame ${from} gives most to frame ${to}: ${weight}.`,
    zh: (from: string, to: string, weight: string) => `${from}，给${to}的最多：${weight}。`,
  },
  around: { en: (n: number) => `${n} before and after`, zh: (n: number) => `前后各 ${n} 帧` },
  kept: {
    en: (kept: string, all: string) => `${kept} of ${plural(all, 'pair')} of frames are kept.`,
    zh: (kept: string, all: string) => `${all} 对帧中保留了 ${kept} 对。`,
  },
  scaleNote: { en: (most: string) => `Weights: 0 to ${most}.`, zh: (most: string) => `权重：0 到 ${most}。` },
  first: {
    en: (seconds: string) => `The first 10 s of ${seconds} s are used.`,
    zh: (seconds: string) => `用了 ${seconds} 秒中的前 10 秒。`,
  },
} satisfies Record<string, Localized<unknown>>;
