import { equal, holds, test } from '../../base/testing';
import { t, type TextKey } from '../../base/text';
import { endOf, SCOPES, scopeGroups } from './scopes';

test('scopes are grouped by subject, each once', () => {
  const groups = scopeGroups();
  equal(groups[0], { key: 'FLOW', permissions: ['READ_FLOW', 'WRITE_FLOW', 'UPDATE_FLOW_STATUS'] });
  equal(groups.flatMap((group) => group.permissions).sort(), [...SCOPES].sort());
});

test('roles and API keys name a subject by the same text', () => {
  for (const { key } of scopeGroups()) {
    const text = `people.subject.${key}` as TextKey;
    holds(t(text) !== text, `${text} is in the catalogue`);
  }
});

test('a key ends after its days, or never', () => {
  equal([endOf('never', 0), endOf('month', 0)], [null, '1970-01-31T00:00:00.000Z']);
});
