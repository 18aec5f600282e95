import { equal, test } from '../base/testing';
import { hasChanges, orderOf, piecesOf, sorted, standing, stepsOf, strips } from './model';

test('all steps of a flow are counted, including those in loops, branches and outcomes', () => {
  const flow = {
    nextAction: {
      firstLoopAction: {},
      nextAction: { children: [{}, null], continueOnFailureBranches: { onSuccess: {}, onFailure: {} } },
    },
  };
  equal(stepsOf(flow).length, 7);
});

test('a flow lists each of its pieces once, beginning with its trigger', () => {
  const step = (pieceName: string) => ({ settings: { pieceName } });
  equal(
    piecesOf({
      ...step('webhook'),
      nextAction: { ...step('http'), nextAction: { settings: {}, children: [step('slack'), step('http'), null] } },
    }),
    ['webhook', 'http', 'slack'],
  );
});

test('a flow without a published version is a draft, whether enabled or not', () => {
  equal(standing({ status: 'DISABLED', publishedVersionId: null }), 'unpublished');
  equal(standing({ status: 'ENABLED', publishedVersionId: 'v' }), 'on');
  equal(hasChanges({ publishedVersionId: 'v', version: { id: 'w' } }), true);
});

test('a strip shows the last runs of its flow, oldest first', () => {
  const runs = [
    ['a', 3],
    ['b', 9],
    ['a', 2],
    ['a', 1],
  ].map(([flowId, at]) => ({ flowId: String(flowId), at }));
  equal(
    strips(runs, 2)
      .get('a')
      ?.map((run) => run.at),
    [2, 3],
  );
});

test("flows are sorted by name, change or creation, and an unknown order leaves the server's", () => {
  const flow = (displayName: string, updated: string, created: string) => ({
    created,
    version: { displayName, updated },
  });
  const flows = [
    flow('b', '2026-01-02', '2026-01-01'),
    flow('A', '2026-01-03', '2025-01-01'),
    flow('c', '2026-01-01', '2026-06-01'),
  ];
  const names = (order: string): string =>
    sorted(flows, orderOf(order))
      .map((each) => each.version.displayName)
      .join('');
  equal(names('name'), 'Abc');
  equal(names('changed'), 'Abc');
  equal(names('created'), 'cbA');
  equal(names('other'), 'bAc');
});
