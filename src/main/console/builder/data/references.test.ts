import { equal, test } from '../../base/testing';
import type { Step } from '../steps';
import { partsOf, referenceOf, resolve, tokenOf } from './references';

const step = (name: string, displayName: string): Step => ({
  name,
  displayName,
  type: 'CODE',
  valid: true,
  settings: {},
});
const before = [step('trigger', 'Call'), step('step_1', 'Work out the total')];
const all = new Set(['trigger', 'step_1', 'step_2']);
const samples = (name: string): { value: unknown } | undefined =>
  name === 'step_1' ? { value: { total: 3, 'odd key': [{ x: 1 }] } } : undefined;
const resolved = (token: string) => resolve(token, before, all, samples);

test('a text is cut at its tokens', () => {
  equal(
    partsOf("Hello {{a['b']}}!").map((part) => part.text),
    ['Hello ', "{{a['b']}}", '!'],
  );
  equal(
    partsOf('{{').map((part) => part.kind),
    ['text'],
  );
});

test('a reference is read in every way of writing it, and a formula is none', () => {
  equal(referenceOf('{{step_1[\'output\']["odd key"][0].x}}'), { root: 'step_1', path: ['output', 'odd key', 0, 'x'] });
  equal(referenceOf("{{step_1['output'] + 1}}"), undefined);
});

test('a token that is made is read as what it was made of', () => {
  equal(referenceOf(tokenOf('step_1', ["it's", 2, 'a\\b'])), { root: 'step_1', path: ['output', "it's", 2, 'a\\b'] });
});

test('a reference reads as the step and the way to the value', () => {
  equal(resolved("{{step_1['output']['odd key'][0]['x']}}"), {
    label: 'Work out the total › odd key › 1. › x',
    value: 1,
  });
});

test('an expression with an open bracket or quote is broken', () => {
  equal(resolved('{{nonsense(}}').problem, { kind: 'syntax', what: 'nonsense(' });
  for (const open of [
    "{{step_1['output'}}",
    "{{'a + 1}}",
    '{{[1, 2)}}',
    '{{a)}}',
    "{{step_1['output'].map((x) => x}}",
  ]) {
    equal(resolved(open).problem?.kind, 'syntax');
  }
  for (const closed of [
    "{{step_1['output'].total + 1}}",
    '{{\'(\' + "]" + `}`}}',
    "{{'it\\'s (' + 1}}",
    '{{[1, {a: (2)}]}}',
    "{{'a'.replace(/\\(/, '')}}",
  ]) {
    equal(resolved(closed).problem, undefined);
  }
});

test('a broken reference says what is missing', () => {
  equal(resolved("{{step_9['output']}}").problem, { kind: 'step', what: 'step_9' });
  equal(resolved("{{step_2['output']}}").problem, { kind: 'later', what: 'step_2' });
  equal(resolved("{{step_1['output']['sum']}}").problem, { kind: 'path', what: 'sum' });
  equal(resolved("{{trigger['output']['body']}}").problem, undefined);
  equal(resolved("{{step_9['output'] + 1}}").problem, { kind: 'step', what: 'step_9' });
  equal(resolved("{{variables['KEY']}}").problem, undefined);
});
