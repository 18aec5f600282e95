import { equal, test } from '../../base/testing';
import { kindOf, typeOf, type Field, type FieldType, type Row } from '../model';
import { applied, byRow, inverse, merged } from './changes';
import { imported, matched, pasted } from './paste';
import { harmless, plain, read, readFile, write } from './separated';
import { fits, guess, instantOf, normal, numberOf } from './values';
import { readView, rowsOf, written, type Filter } from './view';

const field = (id: string, type: FieldType = 'TEXT', options: string[] = []): Field => ({
  id,
  name: id,
  type,
  externalId: id,
  tableId: 't',
  projectId: 'p',
  created: '',
  updated: '',
  ...(type === 'STATIC_DROPDOWN' ? { data: { options: options.map((value) => ({ value })) } } : {}),
});
const row = (id: string, cells: Record<string, string> = {}): Row => ({ id, cells });
const name = field('name');
const amount = field('amount', 'NUMBER');
const day = field('day', 'DATE');
const state = field('state', 'STATIC_DROPDOWN', ['open', 'paid']);
const fields = [name, amount, day, state];

test('texts from a spreadsheet are read in rows and columns', () => {
  equal(read('a\tb\r\nc\t\n', '\t'), [
    ['a', 'b'],
    ['c', ''],
  ]);
  equal(read('"two\nlines"\t"say ""so"""\tx', '\t'), [['two\nlines', 'say "so"', 'x']]);
  equal(read('', '\t'), []);
});

test('files are read whatever separates them, and written so that they are read the same', () => {
  equal(readFile('\ufeffName;Sum\nAda;1,5\n\n').rows, [
    ['Name', 'Sum'],
    ['Ada', '1,5'],
  ]);
  const cells = [
    ['a,b', 'say "so"', ''],
    ['two\nlines', 'c', '; d'],
  ];
  equal(read(write(cells, ','), ','), cells);
});

test('a cell that a spreadsheet would execute is written as a text', () => {
  equal(['=1+1', '@x', '-5', '-5 apples', 'a=b'].map(harmless), ["'=1+1", "'@x", '-5', "'-5 apples", 'a=b']);
  equal(["'=1+1", "'tis"].map(plain), ['=1+1', "'tis"]);
});

test('numbers and days are kept as the server reads them', () => {
  equal(
    ['1,234.5', '1,5', ' 12 ', '1 000', 'x'].map((text) => normal(text, 'NUMBER')),
    ['1234.5', '1.5', '12', '1000', 'x'],
  );
  equal(
    ['2026-3-9', '9.3.2026', 'soon'].map((text) => normal(text, 'DATE')),
    ['2026-03-09', '2026-03-09', 'soon'],
  );
  equal([numberOf('1e3'), numberOf('0x10'), numberOf('')], [1000, undefined, undefined]);
  equal(instantOf('2026-03-09 10:00'), Date.parse('2026-03-09T10:00:00Z'));
  equal(instantOf('2026-02-30'), undefined);
});

test('what does not fit its column is told', () => {
  equal(
    [
      fits('12', 'NUMBER', []),
      fits('x', 'NUMBER', []),
      fits('', 'DATE', []),
      fits('paid', 'STATIC_DROPDOWN', ['open']),
    ],
    [true, false, true, false],
  );
});

test('the type of a column is guessed from what it holds', () => {
  equal([['1', '2.5', ''], ['007'], ['2026-01-02'], ['2026-01-02 10:00'], ['a', '1'], []].map(guess), [
    'NUMBER',
    'TEXT',
    'DATE',
    'DATETIME',
    'TEXT',
    'TEXT',
  ]);
  equal(
    [
      ['TRUE', 'false', ''],
      ['true', 'yes'],
    ].map(guess),
    ['CHECKBOX', 'TEXT'],
  );
});

test('a checkbox is a choice of true and false for the API, and keeps the booleans of a file', () => {
  const made = typeOf('CHECKBOX');
  equal(made, { type: 'STATIC_DROPDOWN', data: { options: [{ value: 'true' }, { value: 'false' }] } });
  const paid = field('paid', 'STATIC_DROPDOWN', ['true', 'false']);
  equal(kindOf(paid), 'CHECKBOX');
  equal(kindOf(field('paid', 'STATIC_DROPDOWN', ['true', 'false', 'later'])), 'STATIC_DROPDOWN');
  equal(
    imported([['TRUE'], ['False']], [paid]).map((each) => each.cells['paid']),
    ['true', 'false'],
  );
});

test('cells are pasted over what is there, and the rest comes behind', () => {
  const rows = [row('r1', { name: 'Ada', amount: '1' }), row('r2')];
  const paste = pasted(
    [
      ['Bob', '2', 'x'],
      ['Eve', '3,5', 'y'],
    ],
    { top: 1, bottom: 1, left: 0, right: 0 },
    rows,
    [name, amount],
  );
  equal(
    paste.writes.map((each) => [each.rowId, each.fieldId, each.before, each.after]),
    [
      ['r2', 'name', '', 'Bob'],
      ['r2', 'amount', '', '2'],
    ],
  );
  equal(
    paste.added.map((each) => each.cells),
    [{ name: 'Eve', amount: '3.5' }],
  );
  equal([paste.area, paste.cut], [{ top: 1, bottom: 2, left: 0, right: 1 }, 1]);
});

test('one cell that is pasted over an area fills it', () => {
  const rows = [row('r1'), row('r2'), row('r3')];
  const paste = pasted([['PAID']], { top: 0, bottom: 1, left: 3, right: 3 }, rows, fields);
  equal(
    paste.writes.map((each) => `${each.rowId} ${each.after}`),
    ['r1 paid', 'r2 paid'],
  );
});

test('a gesture is taken back by its inverse', () => {
  const rows = [row('r1', { name: 'Ada' })];
  const writes = [
    { rowId: 'r1', fieldId: 'name', before: 'Ada', after: '' },
    { rowId: 'r1', fieldId: 'amount', before: '', after: '1' },
  ];
  const after = applied(rows, writes);
  equal(after[0]!.cells, { amount: '1' });
  equal(applied(after, inverse({ writes, added: [], removed: [] }).writes), rows);
  equal(byRow(writes).length, 1);
});

test('what others did takes its place', () => {
  equal(
    merged([row('r1'), row('r2'), row('r3')], ['r2', 'r3', 'r4'], [row('r2', { name: 'x' }), row('r4')]).map(
      (each) => `${each.id}${each.cells['name'] ?? ''}`,
    ),
    ['r1', 'r2x', 'r4'],
  );
});

const filtered = (...filters: Filter[]): string[] =>
  rowsOf(table, fields, { filters }, new Set()).map((each) => each.id);
const table = [
  row('r1', { name: 'Ada', amount: '10', day: '2026-03-09' }),
  row('r2', { name: 'bob', amount: '9' }),
  row('r3', { amount: 'many', day: '2025-01-01' }),
];

test('filters take what the server would', () => {
  equal(filtered({ fieldId: 'amount', operator: 'gt', value: '9' }), ['r1']);
  equal(filtered({ fieldId: 'day', operator: 'lt', value: '2026-01-01' }), ['r3']);
  equal(filtered({ fieldId: 'name', operator: 'co', value: 'B' }), ['r2']);
  equal(filtered({ fieldId: 'name', operator: 'not_exists', value: '' }), ['r3']);
  equal(filtered({ fieldId: 'name', operator: 'neq', value: 'Ada' }), ['r2']);
  equal(filtered({ fieldId: 'gone', operator: 'eq', value: 'x' }), ['r1', 'r2', 'r3']);
});

test('numbers are sorted as numbers, other texts behind them, empty cells last', () => {
  const sorted = (fieldId: string, descending: boolean): string[] =>
    rowsOf(table, fields, { filters: [], sort: { fieldId, descending } }, new Set()).map((each) => each.id);
  equal(sorted('amount', false), ['r2', 'r1', 'r3']);
  equal(sorted('amount', true), ['r1', 'r2', 'r3']);
  equal(sorted('name', false), ['r1', 'r2', 'r3']);
  equal(sorted('day', true), ['r1', 'r3', 'r2']);
});

test('rows that were just made are at the end, whatever is filtered', () => {
  const view = {
    filters: [{ fieldId: 'name', operator: 'eq' as const, value: 'Ada' }],
    sort: { fieldId: 'name', descending: true },
  };
  equal(
    rowsOf(table, fields, view, new Set(['r3'])).map((each) => each.id),
    ['r1', 'r3'],
  );
});

test('a view stands in the address', () => {
  const view = {
    filters: [{ fieldId: 'a', operator: 'gt' as const, value: '1 & 2' }],
    sort: { fieldId: 'b', descending: true },
  };
  equal(readView(written(view).filter, written(view).sort), view);
  equal(readView('broken', null), { filters: [] });
});

test('columns of a file are found by their names', () => {
  const columns = matched(['AMOUNT', 'other'], fields);
  equal(
    columns.map((each) => each?.id),
    ['amount', undefined],
  );
  equal(
    imported([['1,5', 'x']], columns).map((each) => each.cells),
    [{ amount: '1.5' }],
  );
});
