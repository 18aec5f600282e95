import { failure, refused, success } from '../base/api/failure';
import { equal, test } from '../base/testing';
import { boundedCount, firstPages } from './model';

const ALL = Array.from({ length: 130 }, (_, number) => number);
const ROWS = 50;

const page = (cursor: string | undefined) => {
  const from = Number(cursor ?? 0);
  const next = from + ROWS;
  return Promise.resolve(success({ data: ALL.slice(from, next), next: next < ALL.length ? String(next) : null }));
};

test('a reload keeps the pages that are shown', async () => {
  const lengths = [];
  for (const shown of [0, 50, 51, 100, 130, 500]) {
    const pages = await firstPages(shown, page);
    lengths.push(pages.ok ? [pages.value.data.length, pages.value.next] : undefined);
  }
  equal(lengths, [
    [50, '50'],
    [50, '50'],
    [100, '100'],
    [100, '100'],
    [130, null],
    [130, null],
  ]);
});

test('a page that is refused refuses the reload', async () => {
  const pages = await firstPages(100, (cursor) =>
    cursor ? Promise.resolve(refused<{ data: number[]; next: string | null }>(failure('OFFLINE'))) : page(cursor),
  );
  equal(pages.ok, false);
});

test('a count at its bound says that there may be more', () => {
  equal([0, 1, 99, 100].map(boundedCount), ['0', '1', '99', '99+']);
});
