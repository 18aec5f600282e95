import { layOut, type Box, type Card } from '../canvas/layout';
import { apply, type Note, type Operation, type Version } from '../operations';

/** Operations that move steps on the canvas. UPDATE_ACTION can: a step that continues on failure has two branches. */
const MOVING = new Set<Operation['type']>([
  'ADD_ACTION',
  'UPDATE_ACTION',
  'DELETE_ACTION',
  'MOVE_ACTION',
  'DUPLICATE_ACTION',
  'ADD_BRANCH',
  'DELETE_BRANCH',
  'DUPLICATE_BRANCH',
  'MOVE_BRANCH',
]);

/** Moves of notes that operations require: each note stays where it was relative to the nearest step. */
export function noteMoves(before: Version, operations: readonly Operation[]): Operation[] {
  if (before.notes.length === 0 || !operations.some(({ type }) => MOVING.has(type))) {
    return [];
  }
  const after = operations.reduce(apply, before);
  const cards = new Map(layOut(after.trigger).cards.map((card) => [card.step.name, card]));
  const known = layOut(before.trigger).cards.filter((card) => cards.has(card.step.name));
  return after.notes.flatMap((note): Operation[] => {
    const was = nearest(note, known);
    const is = was && cards.get(was.step.name);
    const [dx, dy] = was && is ? [is.x - was.x, is.y - was.y] : [0, 0];
    return dx === 0 && dy === 0
      ? []
      : [
          {
            type: 'UPDATE_NOTE',
            request: {
              ...note,
              position: { x: Math.round(note.position.x + dx), y: Math.round(note.position.y + dy) },
            },
          },
        ];
  });
}

function nearest(note: Note, cards: readonly Card[]): Card | undefined {
  const box: Box = { ...note.position, ...note.size };
  const gap = (start: number, length: number, other: number, otherLength: number): number =>
    Math.max(0, other - start - length, start - other - otherLength);
  const distance = (card: Card): number =>
    Math.hypot(gap(box.x, box.width, card.x, card.width), gap(box.y, box.height, card.y, card.height));
  return [...cards].sort((one, other) => distance(one) - distance(other))[0];
}
