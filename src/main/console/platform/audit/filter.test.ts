import { equal, test } from '../../base/testing';
import { filterOf, isNarrowed, queryOf } from './filter';

const of = (parts: Record<string, string>) => filterOf((name) => parts[name] ?? null);

test('an address filters the log, and its invalid parts are ignored', () => {
  equal(of({ action: 'flow.created', project: 'p', time: '24h' }), {
    action: 'flow.created',
    project: 'p',
    user: '',
    time: '24h',
  });
  equal([isNarrowed(of({ action: 'flow.eaten', time: 'ever' })), isNarrowed(of({ user: 'u' }))], [false, true]);
});

test('a filter becomes a query', () => {
  equal(queryOf(of({ action: 'flow.created', user: 'u', time: '1h' }), 3_600_000), {
    action: ['flow.created'],
    userId: 'u',
    createdAfter: '1970-01-01T00:00:00.000Z',
  });
  equal(queryOf(of({}), 0), {});
});
