import { equal, part, test } from '../base/testing';
import type { Flow } from '../flows/model';
import { isId, isWorthAsking, stepsFitting } from './find';
import { isOpen, readRecent, recentWith, titleOf } from './recent';

test('recent places are ordered by last visit, each once, up to a limit', () => {
  const many = Array.from({ length: 12 }, (_, at) => ({ to: `/${at}`, title: `${at}` })).reduce(
    (all, one) => recentWith(all, one),
    [] as Array<{ to: string; title: string }>,
  );
  equal([many.length, many[0]!.to], [8, '/11']);
  equal(
    recentWith(many, { to: '/9', title: 'nine' }).map((each) => each.to),
    ['/9', '/11', '/10', '/8', '/7', '/6', '/5', '/4'],
  );
});

test('a place that the role no longer allows is not offered', () => {
  const routes = [
    { pattern: '/projects/:projectId/flows', needs: 'READ_FLOW' as const },
    { pattern: '/projects/:projectId/tables', needs: 'READ_TABLE' as const },
  ];
  const offered = (place: string): boolean => isOpen(place, 'p', routes, (needs) => needs === 'READ_TABLE');
  equal(['/projects/p/flows', '/projects/p/tables', '/projects/q/flows', '/elsewhere'].map(offered), [
    false,
    true,
    true,
    true,
  ]);
});

test('stored places are validated', () => {
  equal(
    [readRecent(null), readRecent('{'), readRecent('[{"to":"https://x"},{"to":"/a","title":"A"},3]')],
    [[], [], [{ to: '/a', title: 'A' }]],
  );
  equal(titleOf('Orders · Acme'), 'Orders');
});

test('steps are found by their names, in every branch', () => {
  const step = (name: string, displayName: string, more: object = {}) => ({ name, displayName, ...more });
  const flow = part<Flow>({
    id: 'f',
    version: {
      displayName: 'Orders',
      trigger: step('trigger', 'New order', {
        nextAction: step('step_1', 'Large?', { children: [step('step_2', 'Ask the boss'), null] }),
      }),
    },
  });
  equal(stepsFitting([flow], 'boss', 5), [{ flowId: 'f', flow: 'Orders', step: 'step_2', name: 'Ask the boss' }]);
  equal(stepsFitting([flow], 'nothing', 5), []);
});

test('an id is distinguished from a word', () => {
  equal(
    [isId('8c2vKq0aXbY7mNpTzR4eL'), isId('orders'), isWorthAsking(' o '), isWorthAsking('or')],
    [true, false, false, true],
  );
});
