import { equal, test } from '../../base/testing';
import { brokenReferences } from '../broken';
import { branchesTaken, recordOf } from '../panel/testRecord';
import { packageFor } from '../picker/installable';
import type { Step } from '../steps';
import { callAround, exampleOf, formulas, formulaToken } from './formulas';
import { withLoopItems } from './loopItems';
import { resolve } from './references';
import { withNames } from './stepNames';
import { formulasOf, textsOf } from './stepTexts';

const code = (name: string, input: Record<string, unknown>, nextAction?: Step): Step => ({
  name,
  displayName: `The ${name}`,
  type: 'CODE',
  valid: true,
  settings: { input },
  ...(nextAction ? { nextAction } : {}),
});
const TOTAL = "{{step_1['output']['total']}}";

test('texts of a step are those of its input, its list and its conditions, names of fields included', () => {
  const router: Step = {
    name: 'step_2',
    displayName: 'Router',
    type: 'ROUTER',
    valid: true,
    settings: {
      branches: [
        {
          branchName: 'A',
          branchType: 'CONDITION',
          conditions: [[{ firstValue: 'a', secondValue: 'b' }, { firstValue: 'c' }]],
        },
        { branchName: 'B', branchType: 'FALLBACK' },
      ],
    },
  };
  equal(textsOf(router), ['a', 'b', 'c']);
  equal(textsOf(code('step_1', { x: ['1', { y: '2' }], n: 3 })), ['x', '0', '1', '1', 'y', '2', 'n']);
});

test('a reference to a removed step is broken on its card, with the name that the step had', () => {
  const before = code('trigger', {}, code('step_1', {}, code('step_2', { sum: TOTAL })));
  const names = withNames(new Map(), before);
  equal([...brokenReferences(before, names, new Map())], []);
  const after = code('trigger', {}, code('step_2', { sum: TOTAL }));
  equal([...brokenReferences(after, withNames(names, after), new Map())], [['step_2', ['“The step_1” was deleted.']]]);
  const skipped = code('trigger', {}, { ...code('step_2', { sum: TOTAL }), skip: true });
  equal([...brokenReferences(skipped, names, new Map())], []);
});

test('a formula that is invalid with any values is broken on its card', () => {
  const formula = 'add({{step_1.output}};';
  const flow = code('trigger', {}, code('step_1', {}, code('step_2', { sum: formulaToken(formula) })));
  const names = withNames(new Map(), flow);
  equal([...brokenReferences(flow, names, new Map([[formula, '']]))], []);
  equal([...brokenReferences(flow, names, new Map([[formula, 'Invalid formula']]))], [['step_2', ['Invalid formula']]]);
  equal(formulasOf(flow), [formula]);
});

test('a chip of a removed step has its name, and the one of a step that runs later, too', () => {
  const names = new Map([
    ['step_1', 'Work out the total'],
    ['step_9', 'Later'],
  ]);
  const nameOf = (name: string): string | undefined => names.get(name);
  equal(
    resolve(TOTAL, [], new Set(), () => undefined, nameOf, '(deleted)').label,
    'Work out the total (deleted) › total',
  );
  equal(
    resolve("{{step_9['output']}}", [], new Set(['step_9']), () => undefined, nameOf, '(deleted)'),
    { label: 'Later', problem: { kind: 'later', what: 'step_9', name: 'Later' } },
  );
});

test('a loop that was not tested has the first item of its list as sample', () => {
  const loop = (items: string): Step => ({
    name: 'step_2',
    displayName: 'Loop',
    type: 'LOOP_ON_ITEMS',
    valid: true,
    settings: { items },
  });
  const sampleOf = (name: string): { value: unknown } | undefined =>
    name === 'step_1' ? { value: { lines: [7, 8], none: [], text: 'x' } } : undefined;
  const sampleWith = (items: string): unknown =>
    withLoopItems([code('step_1', {}), loop(items)], sampleOf)('step_2')?.value;
  equal(sampleWith("{{step_1['output']['lines']}}"), { item: 7, index: 1 });
  equal(sampleWith("{{step_1['output']['none']}}"), { index: 1 });
  equal(sampleWith("{{step_1['output']['text']}}"), undefined);
  equal(sampleWith("x {{step_1['output']['lines']}}"), undefined);
  equal(withLoopItems([loop('')], () => ({ value: { item: 'kept' } }))('step_2'), { value: { item: 'kept' } });
});

test('the function around the caret is the innermost open one', () => {
  equal(callAround('add(1; ')?.name, 'add');
  equal(callAround('add(round(2; 1); ')?.name, 'add');
  equal(callAround('add(round(2; ')?.name, 'round');
  equal([callAround('add(1; 2)'), callAround(''), callAround('(1')], [undefined, undefined, undefined]);
  equal(
    formulas.every((each) => exampleOf(each).startsWith(`${each.name}(`) && exampleOf(each).endsWith(')')),
    true,
  );
});

test('the record of a step is found inside loops, and a router names the branches it took', () => {
  const steps = { step_1: { output: { iterations: [{ step_2: { status: 'SUCCEEDED', output: 1 } }] } } };
  equal([recordOf(steps, 'step_2')?.output, recordOf(steps, 'step_3')], [1, undefined]);
  equal(
    branchesTaken({
      branches: [
        { branchName: 'A', evaluation: false },
        { branchName: 'B', evaluation: true },
      ],
    }),
    ['B'],
  );
  equal([branchesTaken({}), branchesTaken(null), branchesTaken('x')], [undefined, undefined, undefined]);
});

test('a word that is not in the catalogue can be an official piece, a full name is kept', () => {
  equal(
    ['github', '@acme/piece-x', 'piece-x', 'Two Words'].map((typed) => packageFor(typed)?.name),
    ['@activepieces/piece-github', '@acme/piece-x', 'piece-x', '@activepieces/piece-two-words'],
  );
  equal([packageFor(''), packageFor('../x'), packageFor('a b/c d/e')], [undefined, undefined, undefined]);
});
