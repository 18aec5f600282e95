import { equal, test } from '../../base/testing';
import type { Step } from '../steps';
import { changesOf } from './diff';

const step = (name: string, more: Partial<Step> = {}): Step => ({ name, type: 'CODE', displayName: name, valid: true, settings: { input: { a: 1 } }, ...more });

test('a version says what was added, removed and changed, and where', () => {
  const before = step('trigger', { nextAction: step('step_1', { nextAction: step('step_2') }) });
  const after = step('trigger', { nextAction: step('step_1', { settings: { input: { a: 2, b: 3 } }, nextAction: step('step_3') }) });
  equal(changesOf(before, after).map((change) => [change.kind, change.name, change.parts.map((part) => `${part.path}: ${part.before}>${part.after}`)]), [
    ['changed', 'step_1', ['input › a: 1>2', 'input › b: >3']], ['added', 'step_3', []], ['removed', 'step_2', []],
  ]);
});

test('equal versions differ in nothing', () => equal(changesOf(step('trigger'), step('trigger')), []));
