/**
 * Stands for the page's settings where the figures ask for the language of labels: each element has its own, which is set before its picture
 * is laid out and drawn.
 */
export const settings: { language: 'en' | 'zh' } = { language: 'en' };
