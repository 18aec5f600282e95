import { equal, test } from '../../base/testing';
import { areaOf, at, clamped, moved, tabbed } from './selection';
import type { Field } from '../model';
import { readWidths, resized, WIDTH_MAX, WIDTH_MIN, widthOf } from './widths';
import { columnsSeen, drawn, edgesOf, ROW_HEIGHT, rowsSeen, scrolledTo } from './window';

const size = { rows: 100, columns: 4, page: 10 };
const press = (key: string, more: { ctrl?: boolean; shift?: boolean } = {}) => ({
  key,
  ctrl: false,
  shift: false,
  ...more,
});

test('keys move the active cell, and stop at the edge', () => {
  equal(moved(at(0, 0), press('ArrowDown'), size), at(1, 0));
  equal(moved(at(0, 0), press('ArrowUp'), size), at(0, 0));
  equal(moved(at(5, 1), press('PageDown'), size), at(15, 1));
  equal(moved(at(5, 1), press('End', { ctrl: true }), size), at(99, 3));
  equal(moved(at(5, 1), press('x'), size), undefined);
});

test('with Shift a rectangle grows from where it began', () => {
  const grown = moved(
    moved(at(2, 2), press('ArrowDown', { shift: true }), size)!,
    press('ArrowLeft', { shift: true }),
    size,
  )!;
  equal(areaOf(grown), { top: 2, bottom: 3, left: 1, right: 2 });
});

test('Tab reads on in the next row, and leaves behind the last cell', () => {
  equal(tabbed(at(0, 3), false, size), at(1, 0));
  equal(tabbed(at(1, 0), true, size), at(0, 3));
  equal(tabbed(at(99, 3), false, size), undefined);
});

test('a selection stays in the grid when rows go', () => {
  equal(clamped({ anchor: { row: 50, column: 1 }, active: { row: 120, column: 9 } }, size).active, {
    row: 99,
    column: 3,
  });
});

test('only what is seen is drawn', () => {
  equal(rowsSeen(0, ROW_HEIGHT * 10, 10_000), { from: 0, to: 18 });
  const middle = rowsSeen(ROW_HEIGHT * 5_000, ROW_HEIGHT * 10, 10_000);
  equal([middle.from, middle.to], [4_992, 5_018]);
  const edges = edgesOf(Array.from({ length: 100 }, () => 150));
  equal(columnsSeen(1_500, 450, edges), { from: 9, to: 14 });
});

test('what is chosen is scrolled into sight, no further', () => {
  equal([scrolledTo(0, 34, 100, 300), scrolledTo(500, 534, 100, 300), scrolledTo(150, 184, 100, 300)], [0, 234, 100]);
});

test('what is edited is drawn wherever it is, once', () => {
  const span = { from: 3, to: 6 };
  equal(drawn(span, 10, undefined), [3, 4, 5]);
  equal(
    [drawn(span, 10, 0), drawn(span, 10, 4), drawn(span, 10, 9), drawn(span, 5, 7)],
    [
      [0, 3, 4, 5],
      [3, 4, 5],
      [3, 4, 5, 9],
      [3, 4],
    ],
  );
});

test('a column is as wide as its type, until somebody chooses; never wider or narrower than can be used', () => {
  const field = { id: 'f', type: 'NUMBER' } as Field;
  const wide = resized({ g: 100 }, 'f', 300.4);
  equal([widthOf(field, {}), widthOf(field, wide), widthOf(field, resized(wide, 'f', undefined))], [130, 300, 130]);
  equal([resized({}, 'f', -5), resized({}, 'f', 1e9)], [{ f: WIDTH_MIN }, { f: WIDTH_MAX }]);
  equal(readWidths(JSON.stringify(wide)), wide);
  equal([readWidths(null), readWidths('['), readWidths('null'), readWidths('{"f":"300","g":5}')], [{}, {}, {}, {}]);
});
