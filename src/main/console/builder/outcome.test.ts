import { equal, test } from '../base/testing';
import { apply, type Operation, type Version } from './operations';
import { outcomeOf } from './outcome';
import { codeStep, versionOf } from './samples';

const flow = versionOf(codeStep('step_1'));
const before = { updated: '2026-11-28T00:00:00.000Z', version: flow };
const later = (version: Version) => ({ updated: '2026-11-28T00:00:01.000Z', version });

const operations: Operation[] = [
  { type: 'CHANGE_NAME', request: { displayName: 'Other' } },
  { type: 'DUPLICATE_ACTION', request: { stepName: 'step_1' } },
  { type: 'DELETE_ACTION', request: { names: ['step_1'] } },
];

test('the time of the last change tells whether an operation without a known outcome was applied', () => {
  for (const operation of operations) {
    const expected = apply(flow, operation);
    equal(outcomeOf(before, expected, before), 'absent', operation.type);
    equal(outcomeOf(before, expected, later(expected)), 'applied', operation.type);
    equal(
      outcomeOf(
        before,
        expected,
        later(apply(expected, { type: 'CHANGE_NAME', request: { displayName: 'By another person' } })),
      ),
      'unclear',
      operation.type,
    );
  }
});
