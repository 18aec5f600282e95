import type { Note } from '../operations';

export type NoteColor = Note['color'];
export const NOTE_COLORS: readonly NoteColor[] = ['yellow', 'orange', 'red', 'green', 'blue', 'purple'];

const SIZE = { width: 220, height: 132 };
const STEP = 24;
export const NOTE_MIN = { width: 140, height: 84 };

/** New note in the middle of the view, shifted while another note has the same position. */
export function freshNote(id: string, middle: { x: number; y: number }, all: readonly Note[]): Note {
  const position = { x: Math.round(middle.x - SIZE.width / 2), y: Math.round(middle.y - SIZE.height / 2) };
  while (all.some((note) => note.position.x === position.x && note.position.y === position.y)) {
    position.x += STEP;
    position.y += STEP;
  }
  return { id, content: '', color: 'yellow', position, size: SIZE };
}

/** Note moved by a distance in window pixels at a scale. */
export const dragged = (note: Note, dx: number, dy: number, scale: number): Note =>
  ({ ...note, position: { x: Math.round(note.position.x + dx / scale), y: Math.round(note.position.y + dy / scale) } });

export const resized = (note: Note, dx: number, dy: number, scale: number): Note => ({
  ...note,
  size: {
    width: Math.max(NOTE_MIN.width, Math.round(note.size.width + dx / scale)),
    height: Math.max(NOTE_MIN.height, Math.round(note.size.height + dy / scale)),
  },
});
