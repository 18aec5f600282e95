import type { Row } from '../model';

/** An empty text clears the cell. */
export interface Write {
  rowId: string;
  fieldId: string;
  before: string;
  after: string;
}

export interface Gesture {
  writes: readonly Write[];
  added: readonly Row[];
  removed: readonly Row[];
}

export const NOTHING: Gesture = { writes: [], added: [], removed: [] };

export const isNothing = (gesture: Gesture): boolean =>
  gesture.writes.length + gesture.added.length + gesture.removed.length === 0;

/** Restored rows are new records with the old cells, at the end. */
export const inverse = ({ writes, added, removed }: Gesture): Gesture => ({
  writes: writes.map(({ rowId, fieldId, before, after }) => ({ rowId, fieldId, before: after, after: before })),
  added: removed,
  removed: added,
});

export function put(cells: Row['cells'], fieldId: string, text: string): Row['cells'] {
  const { [fieldId]: _, ...others } = cells;
  return text === '' ? others : { ...others, [fieldId]: text };
}

export function applied(rows: readonly Row[], writes: readonly Write[]): Row[] {
  const byRow = new Map<string, Write[]>();
  for (const write of writes) {
    byRow.set(write.rowId, [...(byRow.get(write.rowId) ?? []), write]);
  }
  return rows.map((row) => {
    const own = byRow.get(row.id);
    return own
      ? { ...row, cells: own.reduce((cells, write) => put(cells, write.fieldId, write.after), row.cells) }
      : row;
  });
}

/** The API takes the cells of a record in one request. */
export function byRow(
  writes: readonly Write[],
): Array<{ rowId: string; cells: Array<{ fieldId: string; value: string }> }> {
  const rows = new Map<string, Array<{ fieldId: string; value: string }>>();
  for (const { rowId, fieldId, after } of writes) {
    const cells = rows.get(rowId) ?? [];
    cells.push({ fieldId, value: after });
    rows.set(rowId, cells);
  }
  return [...rows].map(([rowId, cells]) => ({ rowId, cells }));
}

/** Rows updated from the server: found ones are replaced, missing ones are removed. */
export function merged(rows: readonly Row[], asked: readonly string[], found: readonly Row[]): Row[] {
  const fresh = new Map(found.map((row) => [row.id, row]));
  const gone = new Set(asked.filter((id) => !fresh.has(id)));
  const kept = rows.flatMap((row) => {
    const now = fresh.get(row.id);
    fresh.delete(row.id);
    return gone.has(row.id) ? [] : [now ?? row];
  });
  return [...kept, ...fresh.values()];
}
