import type { Localized } from '../../shell/localized.ts';

/** What the pictures of the family say. */
export const messages = {
  ownImage: { en: 'Your own image', zh: '用你自己的图像' },
  ownSound: { en: 'Your own sound', zh: '用你自己的声音' },
  features: { en: 'Q and K', zh: 'Q 与 K' },
  prepared: { en: 'centered, normalized', zh: '中心化并归一化' },
  raw: { en: 'raw colors', zh: '原始颜色' },
  counts: { en: 'What counts', zh: '看什么' },
  colorOnly: { en: 'color alone', zh: '只看颜色' },
  placeOnly: { en: 'position alone', zh: '只看位置' },
  less: { en: 'one step back', zh: '后退一步' },
  more: { en: 'one step on', zh: '前进一步' },
  scene: { en: 'Image of patches', zh: '由图像块组成的图' },
  sceneHelp: { en: 'Choose a patch with the arrow keys.', zh: '用方向键选择图像块。' },
  diagram: { en: 'diagram', zh: '图示' },
  patch: { en: 'patch 图像块', zh: '图像块 patch' },
  colors: { en: 'The colors it looks at', zh: '它看向的颜色' },
  score: { en: 'score', zh: '分数' },
  weight: { en: 'weight', zh: '权重' },
  together: { en: 'weight of all its patches', zh: '该颜色所有块的权重' },
  alpha: { en: 'α: how sharply each head looks', zh: 'α：每个头看得多尖锐' },
  image: { en: 'image: press a pixel', zh: '图像：点像素可改' },
  attention: { en: 'nine heads of attention', zh: '九个注意力头' },
  convolution: { en: 'convolution 卷积', zh: '卷积 convolution' },
  heads: { en: 'Where its nine heads look', zh: '它的九个头看向哪里' },
  frame: { en: 'frame 帧', zh: '帧 frame' },
  band: { en: 'band', zh: '频带' },
  reach: { en: 'It sees', zh: '看到' },
  allFrames: { en: 'all frames', zh: '全部帧' },
  spectrogram: { en: 'Spectrogram of “a – i – a”', zh: 'a – i – a 的声谱图' },
  spectrogramHelp: { en: 'Choose a frame with the left and right keys.', zh: '用左右键选择帧。' },
  hear: { en: 'Hear the sound', zh: '听这段声音' },
  hearFive: { en: 'Hear the five frames', zh: '听这五帧' },
  five: { en: 'Its five strongest frames', zh: '权重最大的五帧' },
  bandsNote: {
    en: 'Bands from 200 Hz (below) to 3800 Hz (above), wider towards the top as on the mel scale; the stronger the shade, the louder, on a logarithmic scale.',
    zh: '频带自下而上从 200 Hz 到 3800 Hz，越往上越宽，与梅尔刻度相仿；颜色越重越响（对数刻度）。',
  },
  query: { en: 'query 查询', zh: '查询 query' },
  key: { en: 'key 键', zh: '键 key' },
  node: { en: 'Node', zh: '节点' },
  edges: { en: 'Edges of this node', zh: '这个节点的边' },
  absent: { en: 'Without an edge', zh: '没有边时' },
  minusInfinity: { en: 'score −∞', zh: '分数 −∞' },
  zero: { en: 'score 0', zh: '分数 0' },
  loops: { en: 'each node sees itself', zh: '每个节点看得到自己' },
  graph: { en: 'Graph', zh: '图' },
  graphHelp: {
    en: 'Choose a node with the arrow keys; drag from one node to another to make or remove an edge, or drag nodes.',
    zh: '用方向键选择节点；从一个节点拖到另一个，可以连边或去边；也可以拖动节点。',
  },
  dragging: { en: 'Dragging', zh: '拖动' },
  dragEdges: { en: 'makes and removes edges', zh: '连边、去边' },
  dragNodes: { en: 'moves nodes', zh: '移动节点' },
  left: { en: 'move the node to the left', zh: '节点左移' },
  right: { en: 'move the node to the right', zh: '节点右移' },
  up: { en: 'move the node up', zh: '节点上移' },
  down: { en: 'move the node down', zh: '节点下移' },
  otherColor: { en: 'Other color', zh: '换颜色' },
  addNode: { en: 'Add a node', zh: '加节点' },
  removeNode: { en: 'Remove this node', zh: '删去这个节点' },
  isolate: { en: 'Remove all its edges', zh: '去掉它的所有边' },
  hatched: { en: 'hatched: no edge', zh: '斜线：没有边' },
  red: { en: 'red', zh: '红' },
  blue: { en: 'blue', zh: '蓝' },
} satisfies Record<string, Localized>;

/** Sentences with slots. */
export const sentences = {
  patchAt: {
    en: (row: number, col: number) => `row ${row}, column ${col}`,
    zh: (row: number, col: number) => `第 ${row} 行（row）第 ${col} 列（column）`,
  },
  place: { en: (percent: number) => `position ${percent}%`, zh: (percent: number) => `位置占 ${percent}%` },
  dots: {
    en: (most: string) => `A dot stands where it looks; its area is the weight, the largest ${most}. One scale for the image.`,
    zh: (most: string) => `圆点表示看向哪里，面积是权重，最大 ${most}；整幅图共用一个刻度。`,
  },
  looks: {
    en: (from: string, to: string, weight: string) => `${from} gives most to ${to}: ${weight}`,
    zh: (from: string, to: string, weight: string) => `${from} 给 ${to} 最多：${weight}`,
  },
  differ: {
    en: (x: string) => `The two differ by ${x} at most.`,
    zh: (x: string) => `两者最多相差 ${x}。`,
  },
  headScale: {
    en: (most: string) =>
      `Each small picture is a head at its place of the 3×3 kernel; weights 0 to ${most}, one scale for all. The frame around the pixels is the border of zeros.`,
    zh: (most: string) => `每个小图是一个头，排在 3×3 卷积核中它的位置；权重 0 到 ${most}，共用一个刻度。外圈是补的零。`,
  },
  around: { en: (n: number) => `${n} before and after`, zh: (n: number) => `前后各 ${n} 帧` },
  frameAt: {
    en: (n: number, ms: number) => `${n}, from ${ms} ms`,
    zh: (n: number, ms: number) => `第 ${n} 帧，从 ${ms} 毫秒起`,
  },
  frameOf: { en: (n: number, all: number) => `${n} of ${all}`, zh: (n: number, all: number) => `第 ${n} 帧，共 ${all} 帧` },
  kept: {
    en: (kept: number, all: number) => `${kept} of ${all} pairs of frames are kept.`,
    zh: (kept: number, all: number) => `${all} 对帧中保留了 ${kept} 对。`,
  },
  nodeN: { en: (n: number) => `node ${n}`, zh: (n: number) => `节点 ${n}` },
  edgeTo: { en: (a: number, b: number) => `edge ${a} to ${b}`, zh: (a: number, b: number) => `${a} 与 ${b} 之间的边` },
  nodeOutput: {
    en: (n: number, red: string, blue: string) => `Output of node ${n}: red ${red}, blue ${blue}.`,
    zh: (n: number, red: string, blue: string) => `节点 ${n} 的输出：红 ${red}，蓝 ${blue}。`,
  },
  zeroScore: {
    en: (sum: string) => `Nodes without an edge get ${sum} of the weight together.`,
    zh: (sum: string) => `没有边的节点一共得到 ${sum} 的权重。`,
  },
} satisfies Record<string, Localized<unknown>>;

/** Colors of the scene by their red, green and blue. */
export const colorNames: Readonly<Record<string, Localized>> = {
  '1 2 3': { en: 'sky', zh: '天蓝' },
  '3 3 3': { en: 'white', zh: '白' },
  '3 3 0': { en: 'yellow', zh: '黄' },
  '2 0 0': { en: 'red', zh: '红' },
  '1 0 0': { en: 'dark red', zh: '深红' },
  '0 0 2': { en: 'blue', zh: '蓝' },
  '0 0 1': { en: 'dark blue', zh: '深蓝' },
  '0 2 0': { en: 'green', zh: '绿' },
  '0 1 0': { en: 'dark green', zh: '深绿' },
};
