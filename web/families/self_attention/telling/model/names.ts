import type { RoomMessages } from '../messages/en.ts';
import { positionLabel } from '../../../../text/positions.ts';
import type { Axis } from '../../../../text/vectors.ts';

/** The name of an axis as it stands beside a matrix. */
export function axisName(axis: Axis, t: RoomMessages): string {
  switch (axis.kind) {
    case 'identity':
      return axis.word;
    case 'feature':
      return t.features[axis.feature];
    case 'position':
      return positionLabel(axis.index);
    case 'constant':
      return t.constantAxis;
  }
}

/** What the number on an axis of a word's vector says. */
export function axisNote(axis: Axis, t: RoomMessages): string {
  switch (axis.kind) {
    case 'identity':
      return t.axisNotes.identity(axis.word);
    case 'feature':
      return t.axisNotes.feature(t.features[axis.feature]);
    case 'position':
      return t.axisNotes.position(positionLabel(axis.index));
    case 'constant':
      return t.axisNotes.constant;
  }
}
