import { equal, holds, test } from '../../base/testing';
import { endOf, SCOPES, scopeGroups } from './scopes';

test('scopes are grouped by subject, each once', () => {
  const groups = scopeGroups();
  equal(groups[0], {
    subject: 'Flow',
    scopes: [
      { scope: 'READ_FLOW', label: 'Read' },
      { scope: 'WRITE_FLOW', label: 'Write' },
      { scope: 'UPDATE_FLOW_STATUS', label: 'Switch on and off' },
    ],
  });
  equal(groups.flatMap((group) => group.scopes.map((each) => each.scope)).sort(), [...SCOPES].sort());
  holds(
    groups.some((group) => group.subject === 'App connection'),
    'names are words',
  );
});

test('a key ends after its days, or never', () => {
  equal([endOf('never', 0), endOf('month', 0)], [null, '1970-01-31T00:00:00.000Z']);
});
