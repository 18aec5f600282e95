import { equal, test } from '../../base/testing';
import { fresh, newOf } from './model';

test('a template has its lists from texts between commas', () => {
  const input = { ...fresh(undefined, 'Ada'), name: ' Orders ', categories: 'Sales, Ops', tags: 'new' };
  equal(newOf(input, []), {
    name: 'Orders',
    summary: '',
    description: '',
    author: 'Ada',
    type: 'CUSTOM',
    categories: ['Sales', 'Ops'],
    tags: [{ title: 'new', color: '#2F6F5E' }],
    flows: [],
  });
});
