import { equal, test } from '../base/testing';
import { summaryOf } from './selection';

const NOTHING = { allFlows: false, flowIds: [], tables: false, platformTools: false, disabledTools: [] };

test('names the chosen groups of tools', () => {
  equal(summaryOf(NOTHING), 'No tools');
  equal(summaryOf({ ...NOTHING, allFlows: true, flowIds: ['a'] }), 'All flows that are tools');
  equal(summaryOf({ ...NOTHING, flowIds: ['a'] }), '1 flow');
  equal(summaryOf({ ...NOTHING, flowIds: ['a', 'b'], tables: true }), '2 flows, Tables');
  equal(summaryOf({ ...NOTHING, tables: true, disabledTools: ['ap_delete_table'] }), 'Tables without 1 tool');
  equal(summaryOf({ ...NOTHING, disabledTools: ['x', 'y'] }), 'No tools');
});
