import type { Localized } from '../shell/localized.ts';

/** How the diagrams (Plane, Bars, Curve) are operated and read. */
export const messages = {
  diagram: { en: 'diagram', zh: '图示' },
  planeHelp: { en: 'Move the arrow with the arrow keys.', zh: '用方向键移动箭头。' },
  barsHelp: { en: 'Choose a row with the up and down keys.', zh: '用上下键选择一行。' },
  barsDragHelp: {
    en: 'Choose a row with the up and down keys; change its score with left and right.',
    zh: '用上下键选择一行，用左右键改变它的分数。',
  },
  curveHelp: { en: 'Read the curve with the left and right keys.', zh: '用左右键沿曲线读数。' },
  netHelp: { en: 'Choose a token with the left and right keys.', zh: '用左右键选择一个词元。' },
  left: { en: 'to the left', zh: '向左' },
  right: { en: 'to the right', zh: '向右' },
  up: { en: 'up', zh: '向上' },
  down: { en: 'down', zh: '向下' },
  less: { en: 'less', zh: '减小' },
  more: { en: 'more', zh: '增大' },
  name: { en: 'name', zh: '名称' },
} satisfies Record<string, Localized>;

/** What is read aloud. */
export const spoken = {
  point: {
    en: (name: string, x: string, y: string) => `${name}: ${x}, ${y}`,
    zh: (name: string, x: string, y: string) => `${name}：${x}，${y}`,
  },
  row: {
    en: (name: string, values: string, place: number, count: number) => `${name}: ${values}; ${place} of ${count}`,
    zh: (name: string, values: string, place: number, count: number) => `${name}：${values}；第 ${place} 个，共 ${count} 个`,
  },
  button: {
    en: (name: string, direction: string) => `${name} ${direction}`,
    zh: (name: string, direction: string) => `${name}${direction}`,
  },
} satisfies Record<string, Localized<unknown>>;
