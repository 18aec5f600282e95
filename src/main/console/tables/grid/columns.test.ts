import { equal, test } from '../../base/testing';
import { arranged, hidden, moved, readArrangement, USUAL } from './columns';

const fields = ['a', 'b', 'c', 'd'].map((id) => ({ id }));
const ids = (arrangement = USUAL): string =>
  arranged(fields, arrangement)
    .map((field) => field.id)
    .join('');

test('columns move past their visible neighbors, and not beyond the edges', () => {
  equal(ids(moved(fields, USUAL, 'b', 1)), 'acbd');
  equal(ids(moved(fields, USUAL, 'd', -1)), 'abdc');
  equal(ids(moved(fields, USUAL, 'a', -1)), 'abcd');
  const withoutC = hidden(fields, USUAL, 'c');
  equal(ids(withoutC), 'abd');
  equal(ids(moved(fields, withoutC, 'b', 1)), 'adb');
  equal(ids({ ...moved(fields, withoutC, 'b', 1), hidden: [] }), 'acdb');
});

test('the last visible column is not hidden, and new columns come last', () => {
  const one = ['a', 'b', 'c', 'd'].reduce((arrangement, id) => hidden(fields, arrangement, id), USUAL);
  equal(ids(one), 'd');
  equal(ids({ order: ['c', 'a'], hidden: [] }), 'cabd');
  equal(ids({ order: ['gone', 'd'], hidden: ['gone'] }), 'dabc');
  equal(ids({ order: [], hidden: ['a', 'b', 'c', 'd'] }), 'abcd');
});

test('a stored arrangement that is damaged is dropped', () => {
  for (const text of [null, '', 'x', 'null', '[]', '{"order":3,"hidden":{}}']) {
    equal(readArrangement(text), { order: [], hidden: [] });
  }
  equal(readArrangement('{"order":["a",1],"hidden":["b"]}'), { order: ['a'], hidden: ['b'] });
});
