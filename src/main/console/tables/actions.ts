import { session } from '../base/session';
import { api } from '../base/api/client';
import { failure, type Failure } from '../base/api/failure';
import { reliably } from '../base/api/reliably';
import { complain, say } from '../base/components/Toasts';
import { count, t } from '../base/text';
import { imported } from './data/paste';
import { progressOf, type Work } from './data/progress';
import { harmless, write } from './data/separated';
import { addRows } from './data/server';
import { guess } from './data/values';
import type { Field, Row, Table } from './model';
import { textOf, typeOf } from './model';

const NAME_LENGTH_MAX = 255;

function hand(name: string, ending: string, type: string, text: string): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(new Blob([text], { type }));
  link.download = `${name.replace(/[^\p{L}\p{N}]+/gu, '-')}.${ending}`;
  link.click();
  URL.revokeObjectURL(link.href);
}

const handCsv = (name: string, cells: string[][]): void =>
  hand(
    name,
    'csv',
    'text/csv;charset=utf-8',
    `\ufeff${write(
      cells.map((row) => row.map(harmless)),
      ',',
    )}\r\n`,
  );

export const exportRows = (name: string, fields: readonly Field[], rows: readonly Row[]): void =>
  handCsv(name, [fields.map((field) => field.name), ...rows.map((row) => fields.map((field) => textOf(row, field)))]);

export async function exportTable(table: Table): Promise<void> {
  const exported = await api('GET /v1/tables/{id}/export', { path: { id: table.id } });
  if (!exported.ok) {
    complain(exported.failure);
    return;
  }
  const names = exported.value.fields.map((field) => field.name);
  handCsv(table.name, [names, ...exported.value.rows.map((row) => names.map((name) => row[name] ?? ''))]);
}

export async function exportTemplate(table: Table): Promise<void> {
  const template = await api('GET /v1/tables/{id}/template', { path: { id: table.id } });
  if (template.ok) {
    hand(table.name, 'json', 'application/json', JSON.stringify(template.value, null, 2));
  } else {
    complain(template.failure);
  }
}

interface Named {
  header: string[];
  rows: string[][];
}

/** Record limit of a table if the server sends none. */
const USUAL_RECORDS_MAX = 10_000;

/** Failure for a file with more rows than the table has room for; nothing is written then. */
export function tooManyRows(file: Named, records: number): Failure | undefined {
  const now = session.get();
  const max = (now.state === 'in' ? Number(now.flags['MAX_RECORDS_PER_TABLE']) : 0) || USUAL_RECORDS_MAX;
  const places = { count: file.rows.length, max, records };
  return file.rows.length + records <= max
    ? undefined
    : failure('TOO_MANY', { message: t(records > 0 ? 'tables.file.noRoom' : 'tables.file.tooMany', places) });
}

export async function tableOf(
  name: string,
  file: Named,
  projectId: string,
  folderId: string | undefined,
  show: (work: Work) => void,
): Promise<Table | Failure> {
  const tooMany = tooManyRows(file, 0);
  if (tooMany) {
    return tooMany;
  }
  const fields = file.header.map((title, at) => ({
    name: (title.trim() || `${at + 1}`).slice(0, NAME_LENGTH_MAX),
    ...typeOf(guess(file.rows.map((row) => row[at] ?? ''))),
  }));
  const made = await reliably('POST /v1/tables', {
    body: { projectId, name, fields, ...(folderId ? { folderId } : {}) },
  });
  if (!made.ok) {
    return made.failure;
  }
  const columns = await api('GET /v1/fields', { query: { tableId: made.value.id } });
  const stop = new AbortController();
  const added = columns.ok ? imported(file.rows, columns.value) : [];
  const refusal = columns.ok
    ? await addRows(made.value.id, added, progressOf({ writes: [], added, removed: [] }, stop, show), () => {})
    : columns.failure;
  if (refusal || stop.signal.aborted) {
    // Removes the incomplete table.
    await api('DELETE /v1/tables/{id}', { path: { id: made.value.id } });
    return refusal ?? failure('CANCELED');
  }
  say(count('tables.imported', file.rows.length));
  return made.value;
}
