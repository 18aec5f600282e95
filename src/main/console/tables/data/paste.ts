import { optionsOf, textOf, type Field, type Row } from '../model';
import type { Area } from '../grid/selection';
import type { Gesture, Write } from './changes';
import type { Cells } from './separated';
import { normal } from './values';

export interface Paste extends Gesture {
  area: Area;
  /** Number of columns beyond the right edge, which are dropped. */
  cut: number;
}

/** Id of a row that the server has not created yet. */
const NO_ID = '';

/** Stored form of a text in a column; options match regardless of case. */
export function kept(text: string, field: Field): string {
  const plain = normal(text, field.type);
  return field.type !== 'STATIC_DROPDOWN'
    ? plain
    : (optionsOf(field).find((option) => option.toLowerCase() === plain.toLowerCase()) ?? plain);
}

/** A single cell or row fills a larger area. */
export function pasted(cells: Cells, area: Area, rows: readonly Row[], fields: readonly Field[]): Paste {
  const height = cells.length === 1 ? Math.max(1, area.bottom - area.top + 1) : cells.length;
  const wide = Math.max(...cells.map((row) => row.length));
  const width = wide === 1 && cells.length === 1 ? Math.max(1, area.right - area.left + 1) : wide;
  const writes: Write[] = [];
  const added: Row[] = [];
  for (let down = 0; down < height; down++) {
    const given = cells[cells.length === 1 ? 0 : down]!;
    const row = rows[area.top + down];
    const fresh: Record<string, string> = {};
    for (let across = 0; across < width; across++) {
      const field = fields[area.left + across];
      const text = field ? kept(given[wide === 1 ? 0 : across] ?? '', field) : '';
      if (field && row) {
        const before = textOf(row, field);
        if (before !== text) {
          writes.push({ rowId: row.id, fieldId: field.id, before, after: text });
        }
      } else if (field && text !== '') {
        fresh[field.id] = text;
      }
    }
    if (!row) {
      added.push({ id: NO_ID, cells: fresh });
    }
  }
  const right = Math.min(fields.length - 1, area.left + width - 1);
  return {
    writes,
    added,
    removed: [],
    area: { top: area.top, bottom: area.top + height - 1, left: area.left, right },
    cut: area.left + width - 1 - right,
  };
}

export const copied = (area: Area, rows: readonly Row[], fields: readonly Field[]): Cells =>
  rows
    .slice(area.top, area.bottom + 1)
    .map((row) => fields.slice(area.left, area.right + 1).map((field) => textOf(row, field)));

export const emptied = (area: Area, rows: readonly Row[], fields: readonly Field[]): Write[] =>
  rows.slice(area.top, area.bottom + 1).flatMap((row) =>
    fields
      .slice(area.left, area.right + 1)
      .map((field) => ({ rowId: row.id, fieldId: field.id, before: textOf(row, field), after: '' }))
      .filter(({ before }) => before !== ''),
  );

/**
 * Fields for the columns of a file, by name regardless of case; undefined if the table has none. Each field is used
 * once. A numbered name (`Note_2`) maps to the next field of the same name if no field has the number in its name.
 */
export function matched(header: readonly string[], fields: readonly Field[]): Array<Field | undefined> {
  const free = [...fields];
  const take = (name: string): Field | undefined => {
    const at = free.findIndex((field) => plainName(field.name) === plainName(name));
    return at < 0 ? undefined : free.splice(at, 1)[0];
  };
  const exact = header.map(take);
  return exact.map((field, at) => field ?? take(header[at]!.replace(/_\d+$/, '')));
}

const plainName = (name: string): string => name.trim().toLowerCase();

export const imported = (cells: Cells, columns: ReadonlyArray<Field | undefined>): Row[] =>
  cells.map((texts) => {
    const fresh: Record<string, string> = {};
    columns.forEach((field, index) => {
      const text = field ? kept(texts[index] ?? '', field) : '';
      if (field && text !== '') {
        fresh[field.id] = text;
      }
    });
    return { id: NO_ID, cells: fresh };
  });
