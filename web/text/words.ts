import { normalForm } from './tokens.ts';

/**
 * A small hand-made word list, English and Chinese. It decides nothing but the feature axes of a typed word's vector; a word
 * that is not here has identity and position only, and the page says so. A word may be several things: "saw" is a noun and a verb.
 */
export const FEATURES = ['noun', 'verb', 'adjective', 'pronoun', 'animate', 'function', 'positive', 'negative'] as const;
export type Feature = (typeof FEATURES)[number];

const LISTS: Record<Feature, string> = {
  noun: `
    cat cats mouse mice dog dogs bird birds fish fox bear bears horse cow king queen prince princess man men woman women boy girl child
    children mother father teacher student doctor friend people person animal mary john tom apple apples banana grape grapes tree
    trees flower house home park school street road bank river water food cheese milk bread tea coffee book books word words letter
    question answer key keys value query table chair door window car train saw time day night morning year world city country sun
    moon star rain snow love money attention sentence machine computer network paris france berlin germany trophy suitcase
    猫 狗 鼠 老鼠 鸟 鱼 狐狸 熊 马 牛 羊 虎 老虎 兔子 国王 王后 王子 公主 男人 女人 男孩 女孩 孩子 妈妈 爸爸 母亲 父亲 老师 学生 医生
    朋友 人 人们 动物 玛丽 汤姆 小明 小红 苹果 香蕉 葡萄 葡萄皮 皮 树 花 房子 家 公园 学校 街 路 银行 河 水 食物 奶酪 牛奶 面包 茶 咖啡 书 词
    字 问题 答案 钥匙 值 键 查询 桌子 椅子 门 窗 车 火车 锯 锯子 时间 天 夜 早上 年 世界 城市 国家 太阳 月亮 星星 雨 雪 爱 钱 注意力 句子
    机器 电脑 网络 巴黎 法国 柏林 德国 奖杯 箱子`,
  verb: `
    is are was were be been am has have had do does did saw see sees seen look looks looked chase chases chased run runs ran walk walks walked
    go goes went come came eat eats ate drink drinks drank sleep sleeps slept sit sits sat stand stood like likes liked love loves
    loved hate hates hated fear fears feared want wants wanted give gives gave take takes took make makes made say says said know
    knows knew think thinks thought read reads write writes wrote ask asks asked answer answers answered attend attends fit fits
    是 有 在 看 看见 看到 追 追赶 跑 走 去 来 吃 喝 睡 睡觉 坐 站 喜欢 爱 恨 怕 害怕 想 要 给 拿 做 说 知道 认为 读 写 问 回答 吐 锯 抓 抓住 饿 饿了 爱上 学习`,
  adjective: `
    hungry afraid scared tired happy sad good bad big small large little old new young red green blue black white hot cold fast slow
    beautiful ugly rich poor hard easy long short angry kind clever quick lazy brown
    饿 饿了 累 累了 害怕 高兴 开心 快乐 难过 伤心 好 坏 大 小 老 新 年轻 红 绿 蓝 黑 白 热 冷 快 慢 漂亮 美丽 丑 富 穷 难 容易 长 短 生气 善良 聪明 懒`,
  pronoun: `
    i me my mine you your yours he him his she her hers it its we us our ours they them their theirs this that who which
    我 我的 你 你的 您 他 他的 她 她的 它 它的 我们 你们 他们 她们 它们 咱们 自己 这 那 谁`,
  animate: `
    cat cats mouse mice dog dogs bird birds fish fox bear bears horse cow king queen prince princess man men woman women boy girl child
    children mother father teacher student doctor friend people person animal mary john tom
    猫 狗 鼠 老鼠 鸟 鱼 狐狸 熊 马 牛 羊 虎 老虎 兔子 国王 王后 王子 公主 男人 女人 男孩 女孩 孩子 妈妈 爸爸 母亲 父亲 老师 学生 医生 朋友
    人 人们 动物 玛丽 汤姆 小明 小红`,
  function: `
    a an the of to in on at by for from with without into over under and or but if because so as than then when while though not no
    is are was were be been am do does did has have had will would can could may might must shall should there here very too
    的 了 着 过 地 得 吗 呢 吧 啊 在 从 到 向 对 和 与 或 但 但是 如果 因为 所以 而 而且 虽然 不 没 没有 也 都 就 才 很 太 被 把 是 一 一个 个 之`,
  positive: `
    good happy love loves loved like likes liked beautiful kind clever rich easy
    好 高兴 开心 快乐 喜欢 爱 漂亮 美丽 善良 聪明 富 容易`,
  negative: `
    bad sad hate hates hated fear fears feared afraid scared tired angry ugly poor hungry lazy not no without
    坏 难过 伤心 恨 怕 害怕 累 累了 生气 丑 穷 饿 饿了 懒 不 没 没有`,
};

const listed = new Map<string, Set<Feature>>();
for (const feature of FEATURES) {
  for (const word of LISTS[feature].split(/\s+/).filter(Boolean)) {
    const features = listed.get(word) ?? new Set<Feature>();
    listed.set(word, features.add(feature));
  }
}

/** The features of a token in the list, or undefined if it is not in the list. Punctuation is never listed. */
export function featuresOf(token: string): ReadonlySet<Feature> | undefined {
  return listed.get(normalForm(token));
}

export function isPunctuation(token: string): boolean {
  return /^[\p{P}\p{S}]+$/u.test(token);
}
