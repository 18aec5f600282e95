import { equal, test } from '../../base/testing';
import type { StepRecords } from '../steps';
import {
  bodyOf,
  formOf,
  isReplayable,
  iterationsOfCall,
  loopsOf,
  performed,
  targetOf,
  type EffectList,
} from './replay';

const plain = (): StepRecords[string] => ({ type: 'PIECE', status: 'SUCCEEDED', input: {} });
const loop = (...iterations: StepRecords[]): StepRecords[string] => ({
  type: 'LOOP_ON_ITEMS',
  status: 'SUCCEEDED',
  input: {},
  output: { iterations },
});
const steps: StepRecords = {
  a: plain(),
  outer: loop({ inner: loop({ x: plain() }) }, { inner: loop({ x: plain() }, { x: plain() }, { x: plain() }) }),
};

test('a replay of a step outside loops names the step, the version and the effects', () => {
  equal(bodyOf(steps, 'a', formOf('a')), { body: { step: 'a', version: 'original', effects: 'recorded' } });
  equal(bodyOf(steps, 'a', { ...formOf('a'), version: 'draft', effects: 'step' }), {
    body: { step: 'a', version: 'draft', effects: ['a'] },
  });
  equal(bodyOf(steps, 'a', { ...formOf('a'), effects: 'perform' }), {
    body: { step: 'a', version: 'original', effects: 'perform' },
  });
});

test('iterations are 0-based in the request and bounded by the record', () => {
  const key = 'outer[2].inner[3].x';
  equal(bodyOf(steps, key, formOf(key)), {
    body: { step: 'x', version: 'original', effects: 'recorded', iteration: { outer: 1, inner: 2 } },
  });
  equal(bodyOf(steps, key, { ...formOf(key), iterations: { outer: '2', inner: '4' } }), {
    problems: { iterations: { inner: 3 } },
  });
  for (const wrong of ['0', '-1', '', 'one', '1.5', '3']) {
    equal(bodyOf(steps, 'outer[1].inner', { ...formOf('outer[1].inner'), iterations: { outer: wrong } }), {
      problems: { iterations: { outer: 2 } },
    });
  }
});

test('inner loops are counted in the selected iteration', () => {
  const key = 'outer[2].inner[3].x';
  equal(loopsOf(steps, key, { ...formOf(key), iterations: { outer: '1', inner: '1' } }), [
    { loop: 'outer', count: 2 },
    { loop: 'inner', count: 1 },
  ]);
});

test('an edited input is parsed, and null and false are inputs', () => {
  equal(bodyOf(steps, 'a', { ...formOf('a'), input: '{"x":[1]}' }), {
    body: { step: 'a', version: 'original', effects: 'recorded', input: { x: [1] } },
  });
  equal(bodyOf(steps, 'a', { ...formOf('a'), input: 'null' }), {
    body: { step: 'a', version: 'original', effects: 'recorded', input: null },
  });
  const wrong = bodyOf(steps, 'a', { ...formOf('a'), input: '{' });
  equal('problems' in wrong && wrong.problems.input !== undefined, true);
});

test('ended and paused runs of whole flows can be replayed', () => {
  const status = (name: string): boolean => isReplayable({ status: name }, plain());
  equal(['SUCCEEDED', 'FAILED', 'PAUSED', 'CANCELED', 'QUEUED', 'RUNNING'].map(status), [
    true,
    true,
    true,
    true,
    false,
    false,
  ]);
  equal(isReplayable({ status: 'FAILED' }, undefined), false);
  equal(isReplayable({ status: 'FAILED', stepNameToTest: 'a' }, plain()), false);
});

test('a call is described by its piece, action, method and host', () => {
  const effect = { step: 'a', path: 'a', displayName: 'A', type: 'PIECE' as const, connections: [], input: {} };
  equal(
    targetOf({
      ...effect,
      answer: 'performed',
      pieceName: '@activepieces/piece-http',
      actionName: 'send_request',
      method: 'POST',
      host: 'crm.example.com',
    }),
    'HTTP · Send request, POST crm.example.com',
  );
  equal(targetOf({ ...effect, answer: 'missing' }), '');
  const list: EffectList = {
    dryRun: true,
    flowVersionId: 'v',
    unknownFrom: null,
    effects: [
      { ...effect, answer: 'performed' },
      { ...effect, answer: 'recorded' },
    ],
  };
  equal(performed(list), 1);
});

test('the iterations of a call are 1-based, and 0-based in its path', () => {
  const call = (path: string): string =>
    iterationsOfCall({ path } as EffectList['effects'][number], (name) => `Each ${name}`);
  equal(call('a'), '');
  equal(call('outer[0].x'), 'Each outer 1');
  equal(call('outer[2].inner[10].x'), 'Each outer 3 › Each inner 11');
});
