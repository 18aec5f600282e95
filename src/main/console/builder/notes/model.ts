import { meets, type Box } from '../canvas/layout';
import type { Note } from '../operations';

export type NoteColor = Note['color'];
export const NOTE_COLORS: readonly NoteColor[] = ['yellow', 'orange', 'red', 'green', 'blue', 'purple'];

const SIZE = { width: 220, height: 132 };
const GAP = 40;
const BETWEEN = 16;
export const NOTE_MIN = { width: 140, height: 84 };

/** New note at the height of the middle of the view, to the right of the steps there, and below other notes. */
export function freshNote(
  id: string,
  middle: { x: number; y: number },
  all: readonly Note[],
  cards: readonly Box[],
): Note {
  const box: Box = { x: Math.round(middle.x - SIZE.width / 2), y: Math.round(middle.y - SIZE.height / 2), ...SIZE };
  const covered = cards.filter((card) => card.y < box.y + box.height && box.y < card.y + card.height);
  box.x = Math.round(Math.max(covered.length > 0 ? 0 : box.x, ...covered.map((card) => card.x + card.width + GAP)));
  for (let under = below(box, all); under !== undefined; under = below(box, all)) {
    box.y = under;
  }
  return { id, content: '', color: 'yellow', position: { x: box.x, y: box.y }, size: SIZE };
}

/** Top of a box that does not cover a note any longer; undefined if it covers none. */
function below(box: Box, all: readonly Note[]): number | undefined {
  const note = all.find(({ position, size }) => meets(box, { ...position, ...size }));
  return note ? note.position.y + note.size.height + BETWEEN : undefined;
}

/** Note moved by a distance in window pixels at a scale. */
export const dragged = (note: Note, dx: number, dy: number, scale: number): Note => ({
  ...note,
  position: { x: Math.round(note.position.x + dx / scale), y: Math.round(note.position.y + dy / scale) },
});

export const resized = (note: Note, dx: number, dy: number, scale: number): Note => ({
  ...note,
  size: {
    width: Math.max(NOTE_MIN.width, Math.round(note.size.width + dx / scale)),
    height: Math.max(NOTE_MIN.height, Math.round(note.size.height + dy / scale)),
  },
});
