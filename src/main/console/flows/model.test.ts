import { equal, test } from '../base/testing';
import { hasChanges, standing, stepsOf, strips } from './model';

test('all steps of a flow are counted, in loops, branches and outcomes too', () => {
  const flow = {
    nextAction: {
      firstLoopAction: {},
      nextAction: { children: [{}, null], continueOnFailureBranches: { onSuccess: {}, onFailure: {} } },
    },
  };
  equal(stepsOf(flow).length, 7);
});

test('a flow without a published version is a draft, whatever its switch says', () => {
  equal(standing({ status: 'DISABLED', publishedVersionId: null }), 'unpublished');
  equal(standing({ status: 'ENABLED', publishedVersionId: 'v' }), 'on');
  equal(hasChanges({ publishedVersionId: 'v', version: { id: 'w' } }), true);
});

test('a strip has the last runs of its flow, oldest first', () => {
  const runs = [['a', 3], ['b', 9], ['a', 2], ['a', 1]].map(([flowId, at]) => ({ flowId: String(flowId), at }));
  equal(strips(runs, 2).get('a')?.map((run) => run.at), [2, 3]);
});
