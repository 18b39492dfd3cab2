/** The element's own styles, adopted by its shadow root: no style element, which a strict policy would refuse. */

const light = `
  --zero: var(--fovea-zero, #f0f1f2);
  --positive: var(--fovea-positive, #23479e);
  --negative: var(--fovea-negative, #b1551a);
  --ink: var(--fovea-ink, #15181e);
  --paper: var(--fovea-paper, #fcfcfb);
  --muted: var(--fovea-muted, #596070);
  --line: var(--fovea-line, #dcdfe3);
  --gaze: var(--fovea-gaze, #f2c200);
  color-scheme: light;`;
const dark = `
  --zero: var(--fovea-zero, #20252d);
  --positive: var(--fovea-positive, #93bbff);
  --negative: var(--fovea-negative, #f5a869);
  --ink: var(--fovea-ink, #e9ebee);
  --paper: var(--fovea-paper, #12151a);
  --muted: var(--fovea-muted, #9ca5b4);
  --line: var(--fovea-line, #2c323c);
  --gaze: var(--fovea-gaze, #ffd43b);
  color-scheme: dark;`;

const css = `
:host { ${light}
  --query: var(--ink);
  --key: var(--ink);
  --value: var(--ink);
  display: block;
  box-sizing: border-box;
  min-width: 0;
  max-width: 100%;
  padding: var(--fovea-padding, 12px);
  background: var(--paper);
  color: var(--ink);
  font: 14px/1.5 var(--fovea-font, system-ui, 'Segoe UI', 'PingFang SC', 'Microsoft YaHei', 'Noto Sans CJK SC', sans-serif);
  font-variant-numeric: tabular-nums lining-nums;
  overflow-wrap: anywhere;
}
:host([hidden]) { display: none; }
@media (prefers-color-scheme: dark) { :host(:not([theme='light'])) { ${dark} } }
:host([theme='dark']) { ${dark} }
h2 { margin: 0; font-size: 16px; line-height: 1.3; }
h2 span, p, .below { color: var(--muted); font-size: 13px; font-weight: 400; }
:lang(zh) h2 span, p:lang(zh), .below:lang(zh) { font-size: 14px; }
p { margin: 4px 0; }
.alert { border-left: 3px solid var(--gaze); padding-left: 10px; color: var(--ink); }
.scroll { overflow-x: auto; }
.surface { width: max-content; cursor: crosshair; touch-action: manipulation; }
canvas { display: block; forced-color-adjust: none; }
.below { display: flex; flex-wrap: wrap; align-items: center; gap: 2px 14px; }
.scale { display: inline-flex; align-items: center; gap: 6px; }
.scale i { width: 60px; height: 10px; background: linear-gradient(to right, var(--zero), var(--positive)); forced-color-adjust: none; }
.reading { min-height: 1.5em; color: var(--ink); }
button { min-height: 24px; border: 0; border-bottom: 1px solid var(--line); padding: 2px 0; background: none; color: inherit; font: inherit; cursor: pointer; }
@media (pointer: coarse) { button, a { min-height: 44px; display: inline-flex; align-items: center; } }
a { color: inherit; text-decoration-color: var(--gaze); text-decoration-thickness: 2px; text-underline-offset: 3px; }
:focus-visible { outline: 2px solid var(--ink); outline-offset: 2px; }
.surface:focus-visible { outline-offset: -2px; }
.table { max-width: 100%; max-height: 60vh; overflow: auto; }
.unseen { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
table { border-collapse: collapse; font-size: 13px; }
caption { text-align: left; color: var(--muted); }
th, td { padding: 2px 10px 2px 0; border-bottom: 1px solid var(--line); text-align: right; font-weight: 400; white-space: nowrap; }
th { color: var(--muted); }
`;

let sheet: CSSStyleSheet | undefined;

/** One sheet for all elements of a page. */
export function styleSheet(): CSSStyleSheet {
  if (!sheet) {
    sheet = new CSSStyleSheet();
    sheet.replaceSync(css);
  }
  return sheet;
}
