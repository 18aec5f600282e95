import { equal, test } from '../testing';
import { UndecidedWrites } from './undecided';

const numbered = (): (() => string) => {
  let n = 0;
  return () => `key ${++n}`;
};

test('a write that is repeated before its outcome is known has the same key', () => {
  const writes = new UndecidedWrites(numbered());
  equal([writes.keyOf('a'), writes.keyOf('b'), writes.keyOf('a')], ['key 1', 'key 2', 'key 1']);
});

test('a write after a known outcome has a new key', () => {
  const writes = new UndecidedWrites(numbered());
  writes.keyOf('a');
  writes.decided('a');
  equal(writes.keyOf('a'), 'key 2');
});

test('only the latest writes are kept', () => {
  const writes = new UndecidedWrites(numbered());
  for (let n = 1; n <= 51; n++) {
    writes.keyOf(`write ${n}`);
  }
  equal([writes.keyOf('write 2'), writes.keyOf('write 1')], ['key 2', 'key 52']);
});
