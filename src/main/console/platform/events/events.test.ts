import '../../base/pageless';
import { equal, test } from '../../base/testing';
import { subjectOf, worded } from './model';

test('events and their subjects have readable names, and no ids', () => {
  equal(['flow.run.finished', 'connection.upserted', 'mcp.server.token.rotated'].map(worded), [
    'Flow run finished',
    'Connection saved',
    'MCP server token rotated',
  ]);
  equal(
    [
      { flow: { id: 'x', displayName: 'Orders' } },
      { flow: { id: 'x' } },
      { flow: { id: 'x' }, flowVersion: { displayName: 'Orders' } },
      { piece: { name: '@acme/piece-a' } },
      { packages: ['a', 'b'] },
    ].map(subjectOf),
    ['Orders', '', 'Orders', '@acme/piece-a', 'a, b'],
  );
});
