import { equal, test } from '../../base/testing';
import { titleFrom } from './titles';

test('a piece that is not known yet has the title of its package, initials in capitals', () => {
  equal(['@activepieces/piece-http', '@activepieces/piece-text-helper', 'piece-my-crm', 'slack'].map(titleFrom), [
    'HTTP',
    'Text helper',
    'My CRM',
    'Slack',
  ]);
});
