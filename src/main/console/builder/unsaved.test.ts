import { equal, test } from '../base/testing';
import type { Operation } from './operations';
import { keepUnsaved, readUnsaved, type Pending } from './unsaved';

const rename = (key: string, displayName: string): Pending => ({
  key,
  operation: { type: 'CHANGE_NAME', request: { displayName } } as Operation,
  seen: {},
});

test('unconfirmed edits belong to one user and one flow', () => {
  const edit = rename('key-1', 'Orders');
  keepUnsaved('ada', 'flow-1', [edit]);
  equal(readUnsaved('ada', 'flow-1'), [edit]);
  equal(readUnsaved('bob', 'flow-1'), []);
  equal(readUnsaved('ada', 'flow-2'), []);
  keepUnsaved('bob', 'flow-1', []);
  equal(readUnsaved('ada', 'flow-1'), [edit], 'edits of another user stay');
  keepUnsaved('ada', 'flow-1', []);
  equal(readUnsaved('ada', 'flow-1'), []);
});

test('unconfirmed edits are read again in their order and under their keys', () => {
  const edits = [rename('key-2', 'One'), { ...rename('key-1', 'One'), sentTo: '2026-11-28T00:00:00.000Z' }];
  keepUnsaved('ada', 'flow-3', edits);
  equal(readUnsaved('ada', 'flow-3'), edits);
});
