// The map of all mechanisms, and the search: any of a page's names, then its texts, in English, simplified or traditional Chinese.

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { list } from 'fovea/catalog';
import { goTo, NOWHERE, text, withRoom } from './support.mjs';

/** Words that learners and teachers type, and the address that must come first. */
const FIRST = {
  'learn/1': ['word embedding', 'one-hot', '词嵌入', '詞嵌入'],
  'learn/2': ['query key value', 'QKV', '查询 键 值', 'what is attention', '什么是注意力'],
  'learn/3': ['worked example', '算例'],
  'learn/4': ['softmax', 'temperature', '温度', 'why softmax'],
  'learn/7': ['heads', 'output projection'],
  'learn/9': ['mask', 'masks', 'causal mask', 'padding mask', '掩码', '因果掩码', '遮罩'],
  'learn/10': ['complexity', '复杂度'],
  'family/alignment': ['translation', 'machine translation', 'seq2seq', '翻译', '机器翻译', 'encoder decoder'],
  'family/sparse': ['sparse attention', '稀疏'],
  'family/memory': ['memory', '记忆'],
  model: ['trained model', 'a trained model'],
  'model/own': ['bert', 'GPT-2', 'llama', 'hugging face', 'own model', 'your model'],
  compare: ['side by side', '对比'],
  laboratory: ['laboratory', 'benchmark', '实验室', '速度'],
  text: ['long text', 'text long', 'longtext', '长文本', '長文本'],
  image: ['image', 'your image', '图像'],
  sound: ['sound', 'spectrogram', '声音'],
  weights: ['weights', 'where do the weights come from'],
  words: ['glossary', '术语', 'logits'],
  offline: ['offline', '离线'],
  mechanisms: ['all mechanisms'],
  learn: ['course', '课程', 'ten steps'],
  'self-attention': ['self attention', 'self-attention', 'attention self', 'selfattention', '自注意力', '自注意力機制'],
  'scaled-dot': ['scaled dot product', 'SDPA', 'flash', 'flash attention', 'FlashAttention', '縮放點積'],
  dot: ['dot product', '点积', '点击注意力'],
  additive: ['additive', 'additive attention', '加性注意力'],
  bilinear: ['bilinear', '雙線性'],
  hard: ['hard attention'],
  'multi-head': ['multi-head', 'multihead attention', 'MHA', '多头', '多頭注意力'],
  'multi-query': ['mqa', 'gqa', 'multi query attention', 'grouped query attention', '分组查询注意力'],
  transformer: [
    'cross-attention',
    'cross attention',
    'crossattention',
    '交叉注意力',
    'attention is all you need',
    'transformers',
  ],
  'transformer-generate': ['kv cache', 'KV-cache', 'kvcache', '键值缓存', '语言模型', 'beam search'],
  'image-self-attention': ['vision transformer', 'ViT', 'non-local'],
  rope: ['rope', 'rotary', '旋转位置编码', '旋轉位置編碼'],
  alibi: ['alibi'],
  sinusoidal: ['positional encoding', 'encoding positional', '位置编码'],
  'relative-positions': ['relative positions', 'shaw 2018', '相对位置编码'],
  bahdanau: ['BAHDANAU', 'soft alignment'],
  luong: ['luong', '全局注意力'],
  'luong-local': ['local-p', '局部注意力'],
  'graph-attention': ['GAT', 'graph', 'graph attention', '图注意力'],
  linear: ['linear', 'linear attention', 'attention linear', '线性注意力', '線性注意力'],
  'delta-rule': ['delta rule', 'DeltaNet'],
  performer: ['performer', 'random features'],
  linformer: ['linformer'],
  reformer: ['LSH', 'reformer'],
  longformer: ['longformer'],
  bigbird: ['big bird', 'bigbird'],
  local: ['sliding window', '滑动窗口注意力'],
  'pointer-network': ['pointer net', 'pointer', '指针网络', 'vinyals pointer'],
  'copy-net': ['copy net', 'copynet', '拷贝机制'],
  'memory-network': ['memory network', 'end to end memory', '記憶網路'],
  'hierarchical-attention': ['HAN', 'hierarchical'],
  lstm: ['lstm', '长短期记忆'],
  gru: ['gru'],
};

describe('map and search', () => {
  let server, opened, page;

  withRoom((room) => ({ server, opened, page } = room));

  const open = async (language) => {
    await goTo(page, `${server.url}#/mechanisms?lang=${language}`);
    await page.waitForSelector('[data-mechanism]');
  };
  /** Types a query, and returns the results that are offered when the search is done. */
  const find = (query) =>
    page.$eval(
      'input[type=search]',
      async (field, text) => {
        field.focus();
        field.value = text;
        field.dispatchEvent(new InputEvent('input', { bubbles: true }));
        const status = document.querySelector('search [role=status]');
        while (status.dataset.searched !== text || status.textContent.trim() === '')
          await new Promise((done) => setTimeout(done, 5));
        return [...document.querySelectorAll('[role=option]')].map((one) => ({
          path: one.dataset.path,
          text: one.textContent.trim(),
        }));
      },
      query,
    );

  test('the map links every entry of the catalog, in both languages', async () => {
    for (const language of ['en', 'zh']) {
      await open(language);
      const shown = await page.$$eval('[data-mechanism]', (all) =>
        Object.fromEntries(all.map((one) => [one.dataset.mechanism, [one.textContent.trim(), one.hash]])),
      );
      const wanted = list().map(({ id, title }) => [id, [title[language], `#/${id.replaceAll('_', '-')}`]]);
      assert.deepEqual(shown, Object.fromEntries(wanted));
    }
    assert.deepEqual(opened.problems, []);
  });

  test('what a learner or teacher types finds its page first, in any order and spelling, in three scripts', async () => {
    // Beside the map, each list of results would be laid out with its hundred links.
    await goTo(page, `${server.url}${NOWHERE}?lang=en`);
    const wrong = [];
    for (const [path, queries] of Object.entries(FIRST))
      for (const query of queries) {
        const [first] = await find(query);
        if (first?.path !== path) wrong.push(`${query}: ${first?.path ?? 'nothing'}, not ${path}`);
      }
    assert.deepEqual(wrong, []);
  });

  test('words that only the texts of a page have find it', async () => {
    await open('en');
    assert.equal((await find('tokenizer.json'))[0].path, 'model/own');
    assert.equal((await find('断网也能使用'))[0]?.path, 'offline');
  });

  test('arrow keys and Enter open a result; a page of another kind, too; what is not found is said', async () => {
    await open('en');
    const [, second] = await find('sparse');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await page.waitForSelector('article h1');
    assert.ok(second.text.startsWith(await page.$eval('article h1', (h1) => h1.firstChild.textContent.trim())));
    await find('mask');
    await page.keyboard.press('Enter');
    await page.waitForFunction(() => location.hash.startsWith('#/learn/9'));
    assert.deepEqual(await find('xyzzy'), []);
    assert.match(await text(page, 'search [role=status]'), /^Nothing found/);
    await page.keyboard.press('Escape');
    assert.equal(await text(page, 'search [role=status]'), '');
    assert.deepEqual(opened.problems, []);
  });
});
