import { plural, type Localized } from '../../../shell/localized.ts';

export const messages = {
  title: { en: 'Your image', zh: '你的图像' },
  question: { en: 'Where does a patch of an image look?', zh: '图像中的一块看向哪里？' },
  local: {
    en: 'The image stays in this browser: it is not sent anywhere.',
    zh: '图像只留在这个浏览器里，不会发送到任何地方。',
  },
  source: { en: 'Image', zh: '图像' },
  scene: { en: 'shapes', zh: '形状' },
  tiny: { en: '5 × 10 pixels', zh: '5 × 10 像素' },
  own: { en: 'yours', zh: '你的' },
  open: { en: 'Open an image', zh: '打开图像' },
  drop: { en: 'or drop it here', zh: '或拖到这里' },
  camera: { en: 'Use the camera', zh: '使用摄像头' },
  take: { en: 'Take the picture', zh: '拍照' },
  closeCamera: { en: 'Close the camera', zh: '关闭摄像头' },
  live: { en: 'What the camera sees', zh: '摄像头画面' },
  reading: { en: 'Reading the image …', zh: '正在读取图像……' },
  sceneNote: {
    en: 'Made by code: a house, half in the shade, a tree, a ball.',
    zh: '由代码画成：半边背光的房子、一棵树、一个球。',
  },
  tinyNote: {
    en: '5 × 10 pixels of three numbers, the size that a textbook draws; the colors are ours.',
    zh: '教材中画的大小：5 × 10 个像素，每个三个数；颜色是本页选的。',
  },
  mechanism: { en: 'Attention', zh: '注意力' },
  full: { en: 'whole image', zh: '整幅图' },
  axial: { en: 'axial', zh: '轴向' },
  clusters: { en: 'EM clusters', zh: 'EM 聚类' },
  convolution: { en: 'as a convolution', zh: '当作卷积' },
  patch: { en: 'Patch', zh: '图像块' },
  centeredNote: {
    en: 'Q = K: the numbers of a patch minus their mean, divided by their length. There are no weights to learn.',
    zh: 'Q = K：图像块的数减去它们的均值，再除以长度。没有要学习的参数。',
  },
  rawNote: {
    en: 'Raw dot product: every number is 0 or more, so a bright patch has a large product with all others, and wins, whatever its color.',
    zh: '原始点积：所有数都不小于 0，亮的块与谁相乘都大，于是不管什么颜色，总是亮的块得权重。',
  },
  less: { en: 'one step back', zh: '后退一步' },
  more: { en: 'one step on', zh: '前进一步' },
  diagram: { en: 'diagram', zh: '图示' },
  pictureHelp: { en: 'Choose a patch with the arrow keys.', zh: '用方向键选择图像块。' },
  map: { en: 'Its weights, each at the position of its patch', zh: '它的权重，画在各块的位置上' },
  five: { en: 'Its five largest weights', zh: '最大的五个权重' },
  result: { en: 'What it becomes: the mean color by these weights', zh: '它变成：按这些权重平均的颜色' },
  before: { en: 'before', zh: '之前' },
  after: { en: 'after', zh: '之后' },
  hops: { en: 'Hops', zh: '跳数' },
  one: { en: 'one: its column', zh: '一跳：所在的列' },
  two: { en: 'two: rows, then its column', zh: '两跳：先各行，再它的列' },
  axialNote: {
    en: 'First every patch looks along its row, then along its column. The map holds the product of both weights.',
    zh: '先每块沿自己的行看，再沿自己的列看；图中是两次权重的乘积。',
  },
  count: { en: 'Clusters', zh: '聚类数' },
  round: { en: 'Round', zh: '轮次' },
  clustersNote: {
    en: 'Patches attend to a few bases in place of each other. Each is painted with the colors of its clusters; bases begin as patches of the image.',
    zh: '图像块不互相看，只看几个基。每块涂上所属聚类的颜色；基从图中的块开始。',
  },
  mine: { en: 'chosen patch', zh: '选中的块' },
  cluster: { en: 'cluster', zh: '聚类' },
  share: { en: 'of the image', zh: '占图像' },
  kernel: { en: 'Kernel', zh: '卷积核' },
  vertical: { en: 'vertical edges', zh: '竖边' },
  horizontal: { en: 'horizontal edges', zh: '横边' },
  blur: { en: 'blur', zh: '模糊' },
  alpha: { en: 'α: how sharply each head looks', zh: 'α：每个头看得多尖锐' },
  gray: { en: 'brightness of the patches', zh: '各块的亮度' },
  attended: { en: 'nine heads of attention', zh: '九个注意力头' },
  convolved: { en: 'convolution', zh: '卷积' },
  convolutionNote: {
    en: 'Nine heads look by position alone, each at one position in the 3 × 3 kernel: with a large α they are the convolution.',
    zh: '九个头只按位置看，各看 3 × 3 卷积核中的一处；α 很大时就是卷积。',
  },
  back: { en: 'Designed scene with its lesson', zh: '设计好的场景与讲解' },
} satisfies Record<string, Localized>;

export const sentences = {
  size: {
    en: (patch: number, rows: number, cols: number) =>
      `${patch} × ${patch} pixels: ${rows} × ${cols} = ${rows * cols} ${rows * cols === 1 ? 'patch' : 'patches'}`,
    zh: (patch: number, rows: number, cols: number) => `${patch} × ${patch} 像素：${rows} × ${cols} = ${rows * cols} 块`,
  },
  smaller: {
    en: (from: string, to: string) =>
      `Made smaller from ${from} to ${plural(to, 'pixel')}, so that there are at most 1024 patches.`,
    zh: (from: string, to: string) => `从 ${from} 缩小到 ${to} 像素，使图像块不超过 1024 个。`,
  },
  patchAt: {
    en: (row: number, col: number) => `row ${row}, column ${col}`,
    zh: (row: number, col: number) => `第 ${row} 行第 ${col} 列`,
  },
  looks: {
    en: (from: string, to: string, weight: string) => `The patch at ${from} gives most to ${to}: ${weight}.`,
    zh: (from: string, to: string, weight: string) => `${from}的块给${to}最多：${weight}。`,
  },
  scaleNote: {
    en: (most: string) => `0 to ${most}, one scale for this row; a dot’s area is the weight.`,
    zh: (most: string) => `0 到 ${most}，这一行共用一个刻度；圆点面积是权重。`,
  },
  pairs: {
    en: (pairs: string, full: string) => `Both hops compute ${plural(pairs, 'pair')}; the whole image would be ${full}.`,
    zh: (pairs: string, full: string) => `两跳共算 ${pairs} 对；整幅图要算 ${full} 对。`,
  },
  differ: {
    en: (x: string) => `The two differ by ${x} at most.`,
    zh: (x: string) => `两者最多相差 ${x}。`,
  },
  clusterN: { en: (n: number) => `cluster ${n}`, zh: (n: number) => `聚类 ${n}` },
} satisfies Record<string, Localized<unknown>>;
