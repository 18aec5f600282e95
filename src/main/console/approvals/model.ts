import type { Answer } from '../base/api/client';
import { success, type Result } from '../base/api/failure';

export type Approval = Answer<'GET /v1/approvals'>['data'][number];
export type Request = NonNullable<Approval['request']>;

interface Page<T> {
  data: T[];
  next: string | null;
}

/** First pages of a list until they contain a number of rows, so that a reload keeps the rows that are shown. */
export async function firstPages<T>(
  rows: number,
  ask: (cursor: string | undefined) => Promise<Result<Page<T>>>,
): Promise<Result<Page<T>>> {
  let pages = await ask(undefined);
  while (pages.ok && pages.value.next !== null && pages.value.data.length < rows) {
    const before = pages.value.data;
    const page = await ask(pages.value.next);
    pages = page.ok ? success({ data: [...before, ...page.value.data], next: page.value.next }) : page;
  }
  return pages;
}

/** The server counts up to this number. */
const COUNTED_MAX = 100;

/** Text of a count that the server has bounded. */
export const boundedCount = (count: number): string => (count < COUNTED_MAX ? String(count) : `${COUNTED_MAX - 1}+`);
