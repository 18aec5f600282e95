import { equal, test } from '../../base/testing';
import { jobsOf } from '../model';
import { linesOf, tally, viewOf } from './plan';

const state = (name: string, ...fields: Array<[string, string]>) => ({
  name,
  externalId: name,
  fields: fields.map(([externalId, title]) => ({ externalId, name: title, type: 'TEXT' as const, data: null })),
});

test('a plan is split into new, changed and deleted items', () => {
  const view = viewOf({
    flows: [
      { type: 'CREATE_FLOW', flow: { id: 'f1', displayName: 'New' } },
      {
        type: 'UPDATE_FLOW',
        flow: { id: 'f2', displayName: 'After' },
        targetFlow: { id: 's2', displayName: 'Before' },
      },
      { type: 'DELETE_FLOW', flow: { id: 'f3', displayName: 'Old' } },
    ],
    connections: [
      { type: 'CREATE_CONNECTION', connectionState: { externalId: 'c', pieceName: 'p', displayName: 'CRM' } },
    ],
    tables: [
      {
        type: 'UPDATE_TABLE',
        tableState: state('Orders', ['a', 'Amount'], ['b', 'Note']),
        newTableState: state('Orders', ['a', 'Sum'], ['c', 'State']),
      },
    ],
    errors: [{ flowId: 'f1', message: 'a step is not valid' }],
  });
  equal(
    linesOf(view).map((line) => `${line.kind} ${line.name}`),
    ['create New', 'update After', 'delete Old', 'update Orders', 'create CRM'],
  );
  equal(view.flows[1]!.before, 'Before');
  equal(view.flows[0]!.notes, [{ what: 'draft', reason: 'a step is not valid' }]);
  equal(
    view.tables[0]!.notes.map((note) => (note.what === 'field' ? `${note.kind} ${note.name}` : '')),
    ['update Sum', 'create State', 'delete Note'],
  );
  equal(tally(linesOf(view), 'update'), 2);
});

test('a limit is a whole number, or none', () => {
  equal(
    [jobsOf(' 5 '), jobsOf(''), jobsOf('0'), jobsOf('1.5'), jobsOf('many')],
    [5, null, undefined, undefined, undefined],
  );
});
