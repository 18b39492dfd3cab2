import { escaped } from './svg.ts';

/** A diagram of the page, as it is drawn, as SVG that asks for nothing: shapes, texts and pictures in place, in the colors of the page. */

const MARGIN = 20;
const LINE = 20;
/** Properties that a shape's style keeps. */
const STYLE = [
  ...['fill', 'fill-opacity', 'stroke', 'stroke-width', 'stroke-opacity', 'stroke-dasharray', 'opacity'],
  ...['font-size', 'font-weight', 'text-anchor', 'dominant-baseline', 'image-rendering'],
];
const SHAPES = new Set(
  'g path line rect circle ellipse polygon polyline text tspan defs pattern clipPath linearGradient stop use'.split(' '),
);

export function svgOfDiagram(
  root: HTMLElement,
  caption: readonly string[],
  measure: (text: string, font: number) => number,
): string {
  const box = root.getBoundingClientRect();
  const page = getComputedStyle(document.body);
  const at = ({ left, top }: DOMRect): readonly [number, number] => [round(left - box.left), round(top - box.top)];
  const below = box.height + 24;
  const lines = caption.map((text, n) => textElement(text, 0, below + n * LINE, '13px', '400', page.color));
  const width = Math.ceil(Math.max(root.scrollWidth, box.width, ...caption.map((text) => measure(text, 13)))) + 2 * MARGIN;
  const height = Math.ceil(below + caption.length * LINE) + MARGIN;
  const paper = `<rect x="${-MARGIN}" y="${-MARGIN}" width="${width}" height="${height}" fill="${page.backgroundColor}"/>`;
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="${-MARGIN} ${-MARGIN} ${width} ${height}" role="img" font-family="sans-serif"><title>${escaped(caption.join(' · '))}</title>${paper}${drawn(root, at)}${lines.join('')}</svg>
`;
}

type Place = (box: DOMRect) => readonly [number, number];

function drawn(element: Element, at: Place): string {
  const style = getComputedStyle(element);
  if (style.display === 'none' || style.visibility === 'hidden' || element.matches('.unseen, input, button, [hidden]'))
    return '';
  if (element instanceof SVGSVGElement) return drawnSvg(element, at);
  if (element instanceof HTMLCanvasElement) return drawnCanvas(element, at, style);
  const inside = Array.from(element.childNodes, (node) =>
    node instanceof Element ? drawn(node, at) : node instanceof Text ? drawnText(node, at, style) : '',
  ).join('');
  const opacity = style.opacity === '1' ? '' : ` opacity="${style.opacity}"`;
  const whole = boxOf(element, at, style) + inside;
  return opacity && whole ? `<g${opacity}>${whole}</g>` : whole;
}

/** An element's ground and its lines. */
function boxOf(element: Element, at: Place, style: CSSStyleDeclaration): string {
  const box = element.getBoundingClientRect();
  const [x, y] = at(box);
  const rect = (left: number, top: number, width: number, height: number, fill: string): string =>
    width > 0 && height > 0 && isSeen(fill)
      ? `<rect x="${round(left)}" y="${round(top)}" width="${round(width)}" height="${round(height)}" fill="${fill}"/>`
      : '';
  const side = (name: 'Top' | 'Bottom' | 'Left' | 'Right'): number =>
    style[`border${name}Style`] === 'none' ? 0 : parseFloat(style[`border${name}Width`]);
  return [
    rect(x, y, box.width, box.height, style.backgroundColor),
    rect(x, y, box.width, side('Top'), style.borderTopColor),
    rect(x, y + box.height - side('Bottom'), box.width, side('Bottom'), style.borderBottomColor),
    rect(x, y, side('Left'), box.height, style.borderLeftColor),
    rect(x + box.width - side('Right'), y, side('Right'), box.height, style.borderRightColor),
  ].join('');
}

const isSeen = (color: string): boolean => color !== 'transparent' && !/,\s*0\)$/.test(color);

/** A text in the lines into which the page breaks it. */
function drawnText(node: Text, at: Place, style: CSSStyleDeclaration): string {
  const lines: { text: string; box: DOMRect }[] = [];
  const range = document.createRange();
  for (const { index, 0: word } of node.data.matchAll(/\S+\s*/g)) {
    range.setStart(node, index);
    range.setEnd(node, index + word.length);
    const box = range.getClientRects()[0];
    if (!box || box.width === 0) continue;
    const last = lines.at(-1);
    if (last && Math.abs(last.box.top - box.top) < 2) last.text += word;
    else lines.push({ text: word, box });
  }
  const size = parseFloat(style.fontSize);
  return lines
    .map(({ text, box }) => {
      const [x, y] = at(box);
      return textElement(text.trimEnd(), x, y + (box.height + 0.72 * size) / 2, style.fontSize, style.fontWeight, style.color);
    })
    .join('');
}

const textElement = (text: string, x: number, y: number, size: string, weight: string, fill: string): string =>
  `<text x="${round(x)}" y="${round(y)}" font-size="${size}" font-weight="${weight}" fill="${fill}">${escaped(text)}</text>`;

function drawnCanvas(canvas: HTMLCanvasElement, at: Place, style: CSSStyleDeclaration): string {
  const box = canvas.getBoundingClientRect();
  const [x, y] = at(box);
  const sharp = style.imageRendering === 'pixelated' ? ' style="image-rendering: pixelated"' : '';
  return `<image x="${x}" y="${y}" width="${round(box.width)}" height="${round(box.height)}" preserveAspectRatio="none" href="${canvas.toDataURL('image/png')}"${sharp}/>`;
}

function drawnSvg(svg: SVGSVGElement, at: Place): string {
  const box = svg.getBoundingClientRect();
  const [x, y] = at(box);
  const viewBox = svg.getAttribute('viewBox') ?? `0 0 ${round(box.width)} ${round(box.height)}`;
  const inside = Array.from(svg.children, shape).join('');
  return `<svg x="${x}" y="${y}" width="${round(box.width)}" height="${round(box.height)}" viewBox="${viewBox}" overflow="visible">${inside}</svg>`;
}

/** A shape with the style that the page's rules give it. */
function shape(element: Element): string {
  if (!SHAPES.has(element.localName)) return '';
  const style = getComputedStyle(element);
  if (style.display === 'none' || style.visibility === 'hidden') return '';
  const kept = Array.from(element.attributes)
    .filter(
      ({ name, value }) =>
        /^(?!on|class$|style$|href$|aria-|data-|role$|tabindex$)[\w:-]+$/.test(name) && !/url\((?!['"]?#)/.test(value),
    )
    .map(({ name, value }) => ` ${name}="${escaped(value)}"`);
  const rules = STYLE.map((name) => [name, style.getPropertyValue(name)] as const)
    .filter(([, value]) => value !== '' && value !== 'none')
    .map(([name, value]) => `${name}: ${value}`);
  if (style.fill === 'none') rules.push('fill: none');
  const inside =
    element.childElementCount > 0 ? Array.from(element.children, shape).join('') : escaped(element.textContent ?? '');
  return `<${element.localName}${kept.join('')} style="${escaped(rules.join('; '))}">${inside}</${element.localName}>`;
}

const round = (x: number): number => Math.round(100 * x) / 100;

/** Twice as sharp as on the screen. */
export async function pngOfSvg(svg: string): Promise<Blob> {
  const url = URL.createObjectURL(new Blob([svg], { type: 'image/svg+xml' }));
  try {
    const image = new Image();
    image.src = url;
    await image.decode();
    const canvas = document.createElement('canvas');
    [canvas.width, canvas.height] = [2 * image.naturalWidth, 2 * image.naturalHeight];
    canvas.getContext('2d')!.drawImage(image, 0, 0, canvas.width, canvas.height);
    return await new Promise((resolve, reject) => {
      canvas.toBlob((blob) => (blob ? resolve(blob) : reject(new Error('this browser made no PNG'))), 'image/png');
    });
  } finally {
    URL.revokeObjectURL(url);
  }
}
