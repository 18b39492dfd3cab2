import { plural, type Localized } from '../shell/localized.ts';

/** What the laboratory says. */
export const messages = {
  title: { en: 'Laboratory', zh: '实验室' },
  question: { en: 'What does attention cost on your machine?', zh: '在你的机器上，注意力要花多少时间？' },
  methods: { en: 'Kinds of attention', zh: '注意力的种类' },
  most: { en: 'Up to', zh: '最长' },
  measure: { en: 'Measure on this machine', zh: '在这台机器上测量' },
  cancel: { en: 'Cancel', zh: '取消' },
  progress: { en: 'Progress', zh: '进度' },
  counted: { en: 'Counted', zh: '计数' },
  measured: { en: 'Measured', zh: '测量' },
  picture: { en: 'Picture', zh: '图' },
  cancelled: {
    en: 'Cancelled. The points that were finished stand.',
    zh: '已取消。已完成的各点保留。',
  },
  hidden: {
    en: 'The page was hidden while it measured: the point under way is discarded, and measuring has ended. Measure again.',
    zh: '测量时页面被隐藏：正在测的点作废，测量已停止。请重新测量。',
  },
  failed: { en: 'The worker stopped:', zh: '后台线程停止了：' },
  countCurve: { en: 'Multiply-adds by the number of tokens', zh: '乘加次数随词元数的变化' },
  timeCurve: { en: 'Time of a call by the number of tokens', zh: '一次调用的时间随词元数的变化' },
  xTitle: { en: 'tokens', zh: '词元数' },
  countTitle: { en: 'multiply-adds', zh: '乘加次数' },
  timeTitle: { en: 'milliseconds', zh: '毫秒' },
  predicted: {
    en: 'Faint: predicted from the last point by the counted work, not measured.',
    zh: '浅色：由最后一点按计数推算，并非测量。',
  },
  tokens: { en: 'Tokens', zh: '词元数' },
  fewer: { en: 'Half as many', zh: '减半' },
  more: { en: 'Twice as many', zh: '加倍' },
  kind: { en: 'Kind', zh: '种类' },
  pairs: { en: 'pairs', zh: '配对数' },
  multiplyAdds: { en: 'multiply-adds', zh: '乘加次数' },
  time: { en: 'time, ms', zh: '时间，毫秒' },
  quartiles: { en: 'quartiles', zh: '四分位' },
  runs: { en: 'runs', zh: '次数' },
  rate: { en: 'GFLOP/s', zh: 'GFLOP/s' },
  share: { en: 'of the limit', zh: '占上限' },
  limit: { en: 'limit of one core', zh: '单核上限' },
  error: { en: 'error', zh: '误差' },
  rank: { en: 'rank', zh: '秩' },
  sideBySide: { en: 'Side by side on one input', zh: '同一输入，并列对照' },
  tooShort: { en: 'too short to time', zh: '太短，不计时' },
  published: { en: 'Beside other packages: published, not measured here', zh: '与其他软件包相比：已公布的结果，不是在此测量' },
  publishedCurve: { en: 'Rate of exact attention by package, higher is faster', zh: '各软件包计算精确注意力的速度，越高越快' },
} satisfies Record<string, Localized>;

/** What the table of this browser says. */
export const doctor = {
  title: { en: 'What this browser can run', zh: '这个浏览器能运行什么' },
  question: {
    en: 'The core comes in four builds. This loads each of them, computes with it, and shows which one load() takes here.',
    zh: '核心有四种构建。这里逐一加载、用它计算，并给出 load() 在此选用哪一种。',
  },
  examine: { en: 'Examine this browser', zh: '检查这个浏览器' },
  examining: { en: 'Four builds are loaded …', zh: '正在加载四种构建……' },
  build: { en: 'build or call', zh: '构建或调用' },
  works: { en: 'works', zh: '可用' },
  says: { en: 'what the package says', zh: '软件包的说明' },
  yes: { en: 'yes', zh: '是' },
  no: { en: 'no', zh: '否' },
} satisfies Record<string, Localized>;

export const sentences = {
  now: {
    en: (kind: string, n: string) => (n === '' ? `${kind}: error and rank` : `${kind}, ${n} tokens`),
    zh: (kind: string, n: string) => (n === '' ? `${kind}：误差与秩` : `${kind}，${n} 个词元`),
  },
  stop: {
    en: (kind: string, n: string, predicted: string) =>
      `${kind} stops before ${plural(n, 'token')}: a call would take about ${predicted}.`,
    zh: (kind: string, n: string, predicted: string) => `${kind}在 ${n} 个词元之前停止：一次调用预计要 ${predicted}。`,
  },
  seconds: { en: (s: string) => `${s} s`, zh: (s: string) => `${s} 秒` },
  gigabytes: { en: (gb: string) => `${gb} GB of memory`, zh: (gb: string) => `${gb} GB 内存` },
  machine: {
    en: (variant: string, threads: number, isolation: string, step: string, limit: string, width: number) =>
      `Measured with ${variant}, ${plural(threads, 'thread')}, ${isolation}; timer step ${step} ms. One core multiplies and adds at most ${limit} GFLOP/s in a loop without memory. One head, width ${width}.`,
    zh: (variant: string, threads: number, isolation: string, step: string, limit: string, width: number) =>
      `测量用 ${variant}，${threads} 个线程，${isolation}；计时器步长 ${step} 毫秒。单核在不访问内存的循环里最多 ${limit} GFLOP/s。单头，维度 ${width}。`,
  },
  isolated: { en: () => 'page isolated', zh: () => '页面已隔离' },
  notIsolated: { en: () => 'page not isolated', zh: () => '页面未隔离' },
  input: {
    en: (n: string) =>
      `Queries, keys and values are one sequence of seeded random vectors, each much like the one before; now and then an early one comes again. Error: ‖output − exact‖ / ‖exact‖ and rank of the matrix of weights, both over ${plural(n, 'token')}. Sparse is causal, beside causal exact attention.`,
    zh: (n: string) =>
      `查询、键、值是同一个序列：固定随机种子的向量，每个都与前一个相近，早先的会偶尔重现。误差是 ‖输出 − 精确‖ / ‖精确‖，秩是权重矩阵的秩，都在 ${n} 个词元上计算。“稀疏”是因果的，与因果的精确注意力相比。`,
  },
  repeats: {
    en: 'A time is the median of repeats that last 50 ms or more together. GFLOP/s count two operations a multiply-add, and no softmax.',
    zh: '时间是多次重复的中位数，各次合计至少 50 毫秒。GFLOP/s 把一次乘加算作两次运算，不含 softmax。',
  },
  published: {
    en: (date: string, machine: string, processors: number, browser: string, heads: number, width: number, limit: string) =>
      `One run of the benchmark, ${date}: ${machine}, ${processors} cores, ${browser}, one thread, ${heads} heads of width ${width}. Its limit: ${limit} GFLOP/s. Other machines, other times.`,
    zh: (date: string, machine: string, processors: number, browser: string, heads: number, width: number, limit: string) =>
      `基准测试的一次运行，${date}：${machine}，${processors} 核，${browser}，单线程，${heads} 个头，每头 ${width} 维。该机上限 ${limit} GFLOP/s。换一台机器，时间就不同。`,
  },
  choose: { en: 'Choose at least one kind.', zh: '至少选择一种。' },
} satisfies Record<string, Localized<unknown>>;
