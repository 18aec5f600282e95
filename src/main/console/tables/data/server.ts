import { api } from '../../base/api/client';
import { failure, type Failure, type Result } from '../../base/api/failure';
import { reliably } from '../../base/api/reliably';
import { rowOf, type Field, type Row } from '../model';
import { byRow, type Write } from './changes';

const PAGE_ROWS = 1_000;
const ROWS_AT_ONCE = 200;
const REQUESTS_AT_ONCE = 4;

export interface Progress {
  signal: AbortSignal;
  done: (count: number) => void;
}

export async function load(
  tableId: string,
  signal: AbortSignal,
  onPage: (rows: Row[]) => void,
): Promise<Result<Field[]>> {
  const fields = await api('GET /v1/fields', { query: { tableId }, signal });
  let cursor: string | undefined;
  while (fields.ok && !signal.aborted) {
    const page = await reliably('GET /v1/records', { query: { tableId, limit: PAGE_ROWS, cursor }, signal });
    if (!page.ok) {
      return page;
    }
    onPage((page.value.data ?? []).map(rowOf));
    cursor = page.value.next ?? undefined;
    if (cursor === undefined) {
      return fields;
    }
  }
  return fields.ok ? { ok: false, failure: failure('CANCELED') } : fields;
}

/** Current state of records; deleted ones are missing. */
export async function look(ids: readonly string[]): Promise<Result<Row[]>> {
  const found: Row[] = [];
  const refusal = await each(ids, async (id) => {
    const record = await reliably('GET /v1/records/{id}', { path: { id } });
    if (record.ok) {
      found.push(rowOf(record.value));
    }
    return record.ok || record.failure.status === 404 ? undefined : record.failure;
  });
  return refusal ? { ok: false, failure: refusal } : { ok: true, value: found };
}

/** Processes elements a few at a time and stops at the first failure. */
async function each<T>(
  all: readonly T[],
  perform: (one: T) => Promise<Failure | undefined>,
  signal?: AbortSignal,
): Promise<Failure | undefined> {
  const waiting = [...all].reverse();
  let refusal: Failure | undefined;
  const work = async (): Promise<void> => {
    for (let next = waiting.pop(); next !== undefined && !refusal && !signal?.aborted; next = waiting.pop()) {
      refusal = (await perform(next)) ?? refusal;
    }
  };
  await Promise.all(Array.from({ length: REQUESTS_AT_ONCE }, work));
  return refusal;
}

/** Writes cells; `written` is called per row, so that the caller can revert the others after a failure. */
export async function writeCells(
  tableId: string,
  writes: readonly Write[],
  progress: Progress,
  written: (rowId: string) => void,
): Promise<Failure | undefined> {
  return each(
    byRow(writes),
    async ({ rowId, cells }) => {
      const answer = await reliably('POST /v1/records/{id}', { path: { id: rowId }, body: { tableId, cells } });
      if (!answer.ok) {
        return answer.failure;
      }
      written(rowId);
      progress.done(1);
      return undefined;
    },
    progress.signal,
  );
}

/** Creates records in order, in batches; `made` maps them to the created ones. */
export async function addRows(
  tableId: string,
  rows: readonly Row[],
  progress: Progress,
  made: (pairs: Array<[Row, Row]>) => void,
): Promise<Failure | undefined> {
  for (let from = 0; from < rows.length && !progress.signal.aborted; from += ROWS_AT_ONCE) {
    const some = rows.slice(from, from + ROWS_AT_ONCE);
    const records = some.map((row) => Object.entries(row.cells).map(([fieldId, value]) => ({ fieldId, value })));
    const answer = await reliably('POST /v1/records', { body: { tableId, records } });
    if (!answer.ok) {
      return answer.failure;
    }
    made(answer.value.map((record, index) => [some[index]!, rowOf(record)]));
    progress.done(some.length);
  }
  return undefined;
}

export async function removeRows(
  tableId: string,
  rows: readonly Row[],
  progress: Progress,
  removed: (rows: Row[]) => void,
): Promise<Failure | undefined> {
  for (let from = 0; from < rows.length && !progress.signal.aborted; from += ROWS_AT_ONCE) {
    const some = rows.slice(from, from + ROWS_AT_ONCE);
    const answer = await reliably('DELETE /v1/records', { body: { tableId, ids: some.map((row) => row.id) } });
    if (!answer.ok) {
      return answer.failure;
    }
    removed(some);
    progress.done(some.length);
  }
  return undefined;
}
