/** Where the names of marks in a plane stand: beside their mark, clear of the marks and of one another. */

import { roughWidth } from './measure.ts';

export interface Labeled {
  readonly label: string;
  /** In the units of the drawing. */
  readonly x: number;
  readonly y: number;
  /** How far the mark reaches. */
  readonly radius: number;
}
export interface LabelPlace {
  readonly x: number;
  readonly y: number;
  readonly anchor: 'start' | 'middle' | 'end';
}
type Box = readonly [left: number, top: number, right: number, bottom: number];

const FONT = 14;

function boxOf({ x, y, anchor }: LabelPlace, width: number): Box {
  const left = anchor === 'start' ? x : anchor === 'end' ? x - width : x - width / 2;
  return [left - 2, y - FONT, left + width + 2, y + 4];
}
const overlap = (a: Box, b: Box): number =>
  Math.max(0, Math.min(a[2], b[2]) - Math.max(a[0], b[0])) * Math.max(0, Math.min(a[3], b[3]) - Math.max(a[1], b[1]));

/** Places around a mark, those on the side away from the middle of the drawing first. */
function around({ x, y, radius }: Labeled, middle: readonly [number, number]): LabelPlace[] {
  const [right, below] = [x >= middle[0], y >= middle[1]];
  const side = (toRight: boolean, down: boolean): LabelPlace => ({
    x: x + (toRight ? 1 : -1) * (radius + 3),
    y: y + (down ? radius + FONT - 2 : -radius + 1),
    anchor: toRight ? 'start' : 'end',
  });
  return [
    ...[side(right, below), side(right, !below), side(!right, below), side(!right, !below)],
    { x, y: y - radius - 6, anchor: 'middle' },
    { x, y: y + radius + FONT + 2, anchor: 'middle' },
  ];
}

/** The first of those that cost least. */
function cheapest(places: readonly LabelPlace[], cost: (place: LabelPlace) => number): LabelPlace {
  const costs = places.map(cost);
  const least = Math.min(...costs);
  return places[costs.findIndex((one) => one < least + 1e-9)]!;
}

/** A place for each mark, in their order: those that move come last, so that the others keep theirs. */
export function placeLabels(marks: readonly Labeled[], width: number, height: number): LabelPlace[] {
  const dots = marks.map(({ x, y, radius }): Box => [x - radius, y - radius, x + radius, y + radius]);
  const taken: Box[] = [];
  const middle = [width / 2, height / 2] as const;
  return marks.map((mark) => {
    const textWidth = roughWidth(mark.label, FONT, 8.5);
    const cost = (place: LabelPlace): number => {
      const box = boxOf(place, textWidth);
      const inside = overlap(box, [0, 0, width, height]);
      const outside = (box[2] - box[0]) * (box[3] - box[1]) - inside;
      return [...dots, ...taken, ...taken].reduce((sum, other) => sum + overlap(box, other), 4 * outside);
    };
    const best = cheapest(around(mark, middle), cost);
    taken.push(boxOf(best, textWidth));
    return best;
  });
}
