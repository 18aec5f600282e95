import { equal, test } from '../../base/testing';
import type { Step } from '../steps';
import { changesOf } from './diff';

const step = (name: string, more: Partial<Step> = {}): Step => ({
  name,
  type: 'CODE',
  displayName: name,
  valid: true,
  settings: { input: { a: 1 } },
  ...more,
});

test('a version says what was added, removed and changed, and where', () => {
  const before = step('trigger', { nextAction: step('step_1', { nextAction: step('step_2') }) });
  const after = step('trigger', {
    nextAction: step('step_1', { settings: { input: { a: 2, b: 3 } }, nextAction: step('step_3') }),
  });
  equal(
    changesOf(before, after).map((change) => [
      change.kind,
      change.name,
      change.parts.map((part) => `${part.path}: ${part.before}>${part.after}`),
    ]),
    [
      ['changed', 'step_1', ['input › a: 1>2', 'input › b: >3']],
      ['added', 'step_3', []],
      ['removed', 'step_2', []],
    ],
  );
});

test('equal versions differ in nothing', () => equal(changesOf(step('trigger'), step('trigger')), []));

test('a change names the fields and steps that it stores by id, and shows formulas without their markers', () => {
  const trigger = (values: Record<string, string>): Step =>
    step('trigger', {
      nextAction: step('step_1', {
        displayName: 'Sum',
        nextAction: step('step_2', {
          settings: {
            input: { values },
            propertySettings: {
              values: { type: 'MANUAL', schema: { x7: { displayName: 'Amount', type: 'SHORT_TEXT' } } },
            },
          },
        }),
      }),
    });
  const changes = changesOf(
    trigger({ x7: '1' }),
    trigger({ x7: "ap-formula-v1::{round({{step_1['output']['total']}}; 2)}::ap-formula-v1 in {{step_9}}" }),
  );
  equal(changes[0]!.parts, [
    { path: 'input › values › Amount', before: '1', after: 'round(Sum › total; 2) in {{step_9}}' },
  ]);
});
