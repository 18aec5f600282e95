import { equal, test } from '../base/testing';
import { inverseOf } from './inverse';
import { add, apply, moveTo, type Operation, type Version } from './operations';
import { branch, codeStep, versionOf } from './samples';
import { findStep, stepsBefore, walk } from './steps';

const flow = (): Version =>
  versionOf(
    codeStep('step_1', {
      nextAction: {
        ...codeStep('step_2', { type: 'ROUTER', settings: { branches: [branch('a'), branch('b')] } }),
        children: [codeStep('step_3', { nextAction: codeStep('step_4') }), null],
        nextAction: {
          ...codeStep('step_5', { type: 'LOOP_ON_ITEMS', settings: { items: 'x' } }),
          firstLoopAction: codeStep('step_6', { settings: { input: { a: '{{step_1[0]}} step_6' } } }),
        },
      },
    }),
  );

const names = (version: Version): string[] => walk(version.trigger).map(({ step }) => step.name);
const shape = (version: Version): unknown =>
  walk(version.trigger).map(({ step, place }) => [
    step.name,
    place,
    step.displayName,
    step.skip ?? false,
    step.settings.branches ?? 0,
  ]);
const after = (...operations: Operation[]): Version => operations.reduce(apply, flow());

test('a step is added behind, into a loop, into a branch', () => {
  const given = { type: 'CODE' as const, name: 'new', displayName: 'new', valid: true, settings: {} };
  equal(names(after(add({ parent: 'step_1', location: 'AFTER' }, given))), [
    'trigger',
    'step_1',
    'new',
    'step_2',
    'step_3',
    'step_4',
    'step_5',
    'step_6',
  ]);
  equal(names(after(add({ parent: 'step_5', location: 'INSIDE_LOOP' }, given))).slice(-3), ['step_5', 'new', 'step_6']);
  equal(names(after(add({ parent: 'step_2', location: 'INSIDE_BRANCH', branchIndex: 1 }, given))).slice(3, 7), [
    'step_3',
    'step_4',
    'new',
    'step_5',
  ]);
});

test('a deleted step takes what is inside it along, and what follows closes up', () => {
  equal(names(after({ type: 'DELETE_ACTION', request: { names: ['step_2'] } })), [
    'trigger',
    'step_1',
    'step_5',
    'step_6',
  ]);
  equal(
    findStep(after({ type: 'DELETE_ACTION', request: { names: ['step_3'] } }).trigger, 'step_2')?.children?.map(
      (child) => child?.name ?? null,
    ),
    ['step_4', null],
  );
});

test('a copy gets free names, and its references among its own steps follow', () => {
  const version = after({ type: 'DUPLICATE_ACTION', request: { stepName: 'step_5' } });
  equal(names(version).slice(-2), ['step_7', 'step_8']);
  equal(findStep(version.trigger, 'step_8')?.settings.input, { a: '{{step_1[0]}} step_6' });
});

test('what a step can refer to is what has run before it', () => {
  equal(
    stepsBefore(flow().trigger, 'step_4').map((step) => step.name),
    ['trigger', 'step_1', 'step_2', 'step_3'],
  );
  equal(
    stepsBefore(flow().trigger, 'step_6').map((step) => step.name),
    ['trigger', 'step_1', 'step_2', 'step_5'],
  );
});

const note = {
  id: 'n',
  content: 'Look',
  color: 'blue' as const,
  position: { x: 1, y: 2 },
  size: { width: 3, height: 4 },
};

const operations: Operation[] = [
  { type: 'CHANGE_NAME', request: { displayName: 'Other' } },
  { type: 'UPDATE_TRIGGER', request: { type: 'EMPTY', name: 'trigger', displayName: 'U', valid: false, settings: {} } },
  add(
    { parent: 'step_2', location: 'INSIDE_BRANCH', branchIndex: 0 },
    { type: 'CODE', name: 'new', displayName: 'new', valid: true, settings: {} },
  ),
  {
    type: 'UPDATE_ACTION',
    request: { type: 'CODE', name: 'step_1', displayName: 'Renamed', valid: true, settings: {} },
  },
  { type: 'DELETE_ACTION', request: { names: ['step_1'] } },
  { type: 'DELETE_ACTION', request: { names: ['step_2'] } },
  { type: 'DELETE_ACTION', request: { names: ['step_3', 'step_4'] } },
  moveTo('step_2', { parent: 'step_5', location: 'INSIDE_LOOP' }),
  moveTo('step_4', { parent: 'step_2', location: 'INSIDE_BRANCH', branchIndex: 1 }),
  { type: 'DUPLICATE_ACTION', request: { stepName: 'step_2' } },
  { type: 'SET_SKIP_ACTION', request: { names: ['step_1', 'step_4'], skip: true } },
  { type: 'ADD_BRANCH', request: { stepName: 'step_2', branchIndex: 1, branchName: 'c', conditions: [[]] } },
  { type: 'DELETE_BRANCH', request: { stepName: 'step_2', branchIndex: 0 } },
  { type: 'DUPLICATE_BRANCH', request: { stepName: 'step_2', branchIndex: 0 } },
  { type: 'MOVE_BRANCH', request: { stepName: 'step_2', sourceBranchIndex: 0, targetBranchIndex: 1 } },
  { type: 'ADD_NOTE', request: note },
];

for (const operation of operations) {
  test(`${operation.type} ${JSON.stringify(operation.request).slice(0, 60)} is taken back by its inverse`, () => {
    const before = flow();
    const changed = apply(before, operation);
    const back = inverseOf(before, operation).reduce(apply, changed);
    equal(shape(back), shape(before));
    equal([back.displayName, back.notes], [before.displayName, before.notes]);
  });
}
