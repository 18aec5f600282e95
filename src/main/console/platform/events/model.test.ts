import { equal, test } from '../../base/testing';
import { ACTIONS, eventGroups, subjectOf, worded } from './model';

test('events are grouped, each once', () => {
  equal(
    eventGroups().flatMap((group) => group.actions),
    [...ACTIONS],
  );
  equal(
    eventGroups().map((group) => group.subject),
    [
      'Flow',
      'Flow runs',
      'Folder',
      'Connection',
      'Variable',
      'User',
      'Signing keys',
      'Project',
      'Piece',
      'Packages of code',
      'Agent',
      'MCP',
      'Issue',
    ],
  );
});

test('an event has a text', () => {
  equal(worded('flow.run.finished'), 'Flow run finished');
});

test('an event names its object if it has one', () => {
  equal(
    [
      subjectOf({ flow: { id: 'f' }, flowVersion: { displayName: 'Orders' } }),
      subjectOf({ flowRun: { flowDisplayName: 'Till' } }),
      subjectOf({ user: { email: 'a@b.example' } }),
      subjectOf({ variable: { name: 'KEY' } }),
      subjectOf({ source: 'sso' }),
    ],
    ['Orders', 'Till', 'a@b.example', 'KEY', ''],
  );
});
