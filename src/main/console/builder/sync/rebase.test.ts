import { equal, test } from '../../base/testing';
import { afterOthers, recorded } from '../history';
import { add, apply, givenOf, moveTo, type Given, type Note, type Operation, type Version } from '../operations';
import { findStep, walk, type Settings, type Step } from '../steps';
import { joined, withMine } from './conflicts';
import { rebase } from './rebase';
import { editsOf } from './seen';

const code = (name: string, next?: Step): Step => ({
  name,
  type: 'CODE',
  displayName: name,
  valid: true,
  settings: { input: { a: 1, deep: { x: 1, y: 1 }, list: [1, 2] }, sourceCode: { code: 'old', packageJson: '{}' } },
  ...(next ? { nextAction: next } : {}),
});
const branch = (branchName: string) => ({
  branchName,
  branchType: 'CONDITION' as const,
  conditions: [[{ firstValue: branchName }]],
});
const note: Note = { id: 'n', content: 'Look', color: 'blue', position: { x: 1, y: 2 }, size: { width: 3, height: 4 } };

const flow = (): Version => ({
  displayName: 'Orders',
  notes: [note],
  trigger: {
    name: 'trigger',
    type: 'PIECE_TRIGGER',
    displayName: 'T',
    valid: true,
    settings: { input: { every: 5 } },
    nextAction: code('step_1', {
      ...code('step_2', code('step_4')),
      type: 'ROUTER',
      settings: { branches: [branch('a'), branch('b'), { branchName: 'else', branchType: 'FALLBACK' }] },
      children: [code('step_3'), null, null],
    }),
  },
});

const update = (name: string, more: Partial<Given>, settings: Partial<Settings> = {}): Operation => {
  const given = givenOf(findStep(flow().trigger, name)!);
  return {
    type: name === 'trigger' ? 'UPDATE_TRIGGER' : 'UPDATE_ACTION',
    request: { ...given, ...more, settings: { ...given.settings, ...settings } },
  };
};
const input = (values: Record<string, unknown>): Partial<Settings> => ({
  input: { ...flow().trigger.nextAction!.settings.input, ...values },
});
const remove = (...names: string[]): Operation => ({ type: 'DELETE_ACTION', request: { names } });

/** Both writers begin with the same flow; theirs arrive first. */
const both = (mine: Operation[], theirs: Operation[]) => rebase(editsOf(flow(), mine), theirs.reduce(apply, flow()));
const step = (version: Version, name: string): Step | undefined => findStep(version.trigger, name);
const names = (version: Version): string[] => walk(version.trigger).map((each) => each.step.name);
const branches = (version: Version): string[] =>
  step(version, 'step_2')!.settings.branches!.map((each) => each.branchName);

test('renaming a step keeps code and input that another writer has changed', () => {
  const { version, conflicts } = both(
    [update('step_1', { displayName: 'Renamed' })],
    [update('step_1', {}, { ...input({ a: 2, fresh: true }), sourceCode: { code: 'new', packageJson: '{}' } })],
  );
  equal([step(version, 'step_1')!.displayName, step(version, 'step_1')!.settings.sourceCode!.code], ['Renamed', 'new']);
  equal(step(version, 'step_1')!.settings.input, { a: 2, fresh: true, deep: { x: 1, y: 1 }, list: [1, 2] });
  equal(conflicts, []);
});

const merged: Array<[string, Partial<Settings>, Partial<Settings>, unknown]> = [
  ['different inputs', input({ a: 2 }), input({ b: 3 }), { a: 2, b: 3, deep: { x: 1, y: 1 }, list: [1, 2] }],
  [
    'fields of one object',
    input({ deep: { x: 2, y: 1 } }),
    input({ deep: { x: 1, y: 2 } }),
    { a: 1, deep: { x: 2, y: 2 }, list: [1, 2] },
  ],
  [
    'a removed and a changed input',
    { input: { deep: { x: 1, y: 1 }, list: [1, 2] } },
    input({ deep: { x: 9, y: 1 } }),
    { deep: { x: 9, y: 1 }, list: [1, 2] },
  ],
  ['the same change twice', input({ a: 7 }), input({ a: 7 }), { a: 7, deep: { x: 1, y: 1 }, list: [1, 2] }],
  [
    'objects that both add',
    input({ o: { p: 1 } }),
    input({ o: { q: 2 } }),
    { a: 1, deep: { x: 1, y: 1 }, list: [1, 2], o: { p: 1, q: 2 } },
  ],
];
for (const [about, mine, theirs, expected] of merged) {
  test(`two writers change ${about}: both changes are kept`, () => {
    const { version, conflicts } = both([update('step_1', {}, mine)], [update('step_1', {}, theirs)]);
    equal([step(version, 'step_1')!.settings.input, conflicts], [expected, []]);
  });
}

const clashing: Array<[string, Operation, Operation, string[], unknown, unknown]> = [
  [
    'an input',
    update('step_1', {}, input({ a: 2 })),
    update('step_1', {}, input({ a: 3 })),
    ['settings', 'input', 'a'],
    2,
    3,
  ],
  [
    'a list',
    update('step_1', {}, input({ list: [1] })),
    update('step_1', {}, input({ list: [1, 2, 3] })),
    ['settings', 'input', 'list'],
    [1],
    [1, 2, 3],
  ],
  [
    'the code',
    update('step_1', {}, { sourceCode: { code: 'm', packageJson: '{}' } }),
    update('step_1', {}, { sourceCode: { code: 't', packageJson: '{}' } }),
    ['settings', 'sourceCode', 'code'],
    'm',
    't',
  ],
  [
    'the name of a step',
    update('step_1', { displayName: 'M' }),
    update('step_1', { displayName: 'U' }),
    ['displayName'],
    'M',
    'U',
  ],
  [
    'the trigger',
    update('trigger', {}, { input: { every: 6 } }),
    update('trigger', {}, { input: { every: 7 } }),
    ['settings', 'input', 'every'],
    6,
    7,
  ],
  [
    'the name of the flow',
    { type: 'CHANGE_NAME', request: { displayName: 'M' } },
    { type: 'CHANGE_NAME', request: { displayName: 'U' } },
    ['displayName'],
    'M',
    'U',
  ],
  [
    'a note',
    { type: 'UPDATE_NOTE', request: { ...note, content: 'M' } },
    { type: 'UPDATE_NOTE', request: { ...note, content: 'U' } },
    ['content'],
    'M',
    'U',
  ],
  [
    'the size of a note',
    { type: 'UPDATE_NOTE', request: { ...note, size: { width: 5, height: 4 } } },
    { type: 'UPDATE_NOTE', request: { ...note, size: { width: 3, height: 5 } } },
    ['size'],
    { width: 5, height: 4 },
    { width: 3, height: 5 },
  ],
  [
    'one condition',
    branchOf('b', 'M'),
    branchOf('b', 'U'),
    ['settings', 'branches', '1', 'conditions'],
    [[{ firstValue: 'M' }]],
    [[{ firstValue: 'U' }]],
  ],
];

function branchOf(name: string, firstValue: string): Operation {
  const settings = findStep(flow().trigger, 'step_2')!.settings;
  return update(
    'step_2',
    {},
    {
      branches: settings.branches!.map((each) =>
        each.branchName === name ? { ...each, conditions: [[{ firstValue }]] } : each,
      ),
    },
  );
}

for (const [about, mine, theirs, path, mineValue, theirsValue] of clashing) {
  test(`both writers change ${about}: both values are shown, and the user's choice is applied`, () => {
    const { version, conflicts, edits } = both([mine], [theirs]);
    equal(
      conflicts.map((each) => [each.path, each.mine, each.theirs]),
      [[path, mineValue, theirsValue]],
    );
    equal(edits, [], 'their value stays');
    equal(version, apply(flow(), theirs));
    equal(withMine(version, conflicts[0]!).reduce(apply, version), apply(flow(), mine), 'with mine');
    equal(
      joined(conflicts, [{ ...conflicts[0]!, mine: 'again' }]).map((each) => each.mine),
      ['again'],
    );
  });
}

test('a change that is no conflict is applied beside one that is', () => {
  const { version, conflicts } = both(
    [update('step_1', { displayName: 'M' }, input({ a: 2 }))],
    [update('step_1', {}, input({ a: 3 }))],
  );
  equal(
    [step(version, 'step_1')!.displayName, step(version, 'step_1')!.settings.input!['a'], conflicts.length],
    ['M', 3, 1],
  );
});

test('settings of another action are merged as a whole', () => {
  const other: Operation = {
    type: 'UPDATE_ACTION',
    request: {
      ...(update('step_1', {}) as { request: Given }).request,
      type: 'PIECE',
      settings: { pieceName: 'p', actionName: 'x', input: { to: 'b' } },
    },
  };
  const mine = both([other], [update('step_1', {}, input({ a: 2 }))]);
  equal([mine.conflicts.map((each) => each.path), step(mine.version, 'step_1')!.type], [[[]], 'CODE']);
  equal(withMine(mine.version, mine.conflicts[0]!).reduce(apply, mine.version), apply(flow(), other));
  const theirs = both([update('step_1', { displayName: 'M' })], [other]);
  equal(
    [step(theirs.version, 'step_1')!.displayName, step(theirs.version, 'step_1')!.type, theirs.conflicts],
    ['M', 'PIECE', []],
  );
});

test('a step gets another name where another writer has taken its name, and so do later edits and references', () => {
  const given = (name: string, displayName: string, of = ''): Given => ({
    type: 'CODE',
    name,
    displayName,
    valid: true,
    settings: { input: { of } },
  });
  const mine = [
    add({ parent: 'step_1', location: 'AFTER' }, given('step_5', 'Mine')),
    add({ parent: 'step_5', location: 'AFTER' }, given('step_6', 'After', '{{step_5.output}} step_5')),
  ];
  const { version, renames } = both(mine, [add({ parent: 'step_4', location: 'AFTER' }, given('step_5', 'Theirs'))]);
  equal(
    walk(version.trigger).map((each) => each.step.displayName),
    ['T', 'step_1', 'Mine', 'After', 'step_2', 'step_3', 'step_4', 'Theirs'],
  );
  equal(
    [...renames],
    [
      ['step_5', 'step_6'],
      ['step_6', 'step_7'],
    ],
  );
  equal(step(version, 'step_7')!.settings.input, { of: '{{step_6.output}} step_5' });
});

test('a copy that gets another name keeps the edits that were made of it', () => {
  const copy: Operation = { type: 'DUPLICATE_ACTION', request: { stepName: 'step_1' } };
  const named = { ...(update('step_1', {}) as { request: Given }).request, name: 'step_5', displayName: 'Mine' };
  const { version } = both(
    [copy, { type: 'UPDATE_ACTION', request: named }],
    [{ type: 'DUPLICATE_ACTION', request: { stepName: 'step_4' } }],
  );
  equal([step(version, 'step_5')!.displayName, step(version, 'step_6')!.displayName], ['step_4 Copy', 'Mine']);
});

const reasons: Array<[string, Operation, Operation, 'removed' | 'changed']> = [
  ['an edit of a step that is gone', update('step_1', { displayName: 'M' }), remove('step_1'), 'removed'],
  [
    'a step in a router that is gone',
    add(
      { parent: 'step_2', location: 'INSIDE_BRANCH', branchIndex: 0 },
      { type: 'CODE', name: 'n', displayName: 'n', valid: true, settings: {} },
    ),
    remove('step_2'),
    'removed',
  ],
  [
    'a step in a branch that is gone',
    add(
      { parent: 'step_2', location: 'INSIDE_BRANCH', branchIndex: 1 },
      { type: 'CODE', name: 'n', displayName: 'n', valid: true, settings: {} },
    ),
    { type: 'DELETE_BRANCH', request: { stepName: 'step_2', branchIndex: 1 } },
    'removed',
  ],
  ['the removal of a step that has changed', remove('step_1'), update('step_1', {}, input({ a: 3 })), 'changed'],
  [
    'the removal of a router that has another step inside',
    remove('step_2'),
    add(
      { parent: 'step_3', location: 'AFTER' },
      { type: 'CODE', name: 'n', displayName: 'n', valid: true, settings: {} },
    ),
    'changed',
  ],
  [
    'the removal of a branch that has changed',
    { type: 'DELETE_BRANCH', request: { stepName: 'step_2', branchIndex: 1 } },
    branchOf('b', 'U'),
    'changed',
  ],
  [
    'the removal of a note that has changed',
    { type: 'DELETE_NOTE', request: { id: 'n' } },
    { type: 'UPDATE_NOTE', request: { ...note, content: 'U' } },
    'changed',
  ],
  [
    'an edit of a note that is gone',
    { type: 'UPDATE_NOTE', request: { ...note, content: 'M' } },
    { type: 'DELETE_NOTE', request: { id: 'n' } },
    'removed',
  ],
  [
    'a move below a step that is gone',
    moveTo('step_4', { parent: 'step_1', location: 'AFTER' }),
    remove('step_1'),
    'removed',
  ],
];
for (const [about, mine, theirs, reason] of reasons) {
  test(`not applied, and reported: ${about}`, () => {
    const { version, dropped } = both([mine], [theirs]);
    equal([dropped, version], [[{ operation: mine, reason }], apply(flow(), theirs)]);
  });
}

test('both move a note: it makes both moves', () => {
  const to = (x: number, y: number): Operation => ({ type: 'UPDATE_NOTE', request: { ...note, position: { x, y } } });
  const { version, conflicts } = both([to(1, 112)], [to(6, 112)]);
  equal([version.notes.map(({ position }) => position), conflicts], [[{ x: 6, y: 222 }], []]);
});

test('the move of a note that is gone is no loss', () => {
  const { edits, dropped } = both(
    [{ type: 'UPDATE_NOTE', request: { ...note, position: { x: 1, y: 112 } } }],
    [{ type: 'DELETE_NOTE', request: { id: 'n' } }],
  );
  equal([edits, dropped], [[], []]);
});

test('both remove a step: nothing is left to do', () => {
  const { edits, dropped } = both(
    [remove('step_1'), { type: 'DELETE_NOTE', request: { id: 'n' } }],
    [remove('step_1'), { type: 'DELETE_NOTE', request: { id: 'n' } }],
  );
  equal([edits, dropped], [[], []]);
});

test('operations on branches follow branches that another writer has moved', () => {
  const first: Operation = { type: 'ADD_BRANCH', request: { stepName: 'step_2', branchIndex: 0, branchName: 'first' } };
  equal(branches(both([{ type: 'DELETE_BRANCH', request: { stepName: 'step_2', branchIndex: 1 } }], [first]).version), [
    'first',
    'a',
    'else',
  ]);
  equal(
    branches(
      both([{ type: 'ADD_BRANCH', request: { stepName: 'step_2', branchIndex: 2, branchName: 'c' } }], [first]).version,
    ),
    ['first', 'a', 'b', 'c', 'else'],
  );
  equal(
    branches(both([{ type: 'DUPLICATE_BRANCH', request: { stepName: 'step_2', branchIndex: 0 } }], [first]).version),
    ['first', 'a', 'a Copy', 'b', 'else'],
  );
  const swapped: Operation = {
    type: 'MOVE_BRANCH',
    request: { stepName: 'step_2', sourceBranchIndex: 0, targetBranchIndex: 1 },
  };
  const edited = both([branchOf('b', 'M')], [swapped]).version;
  equal(
    [branches(edited), step(edited, 'step_2')!.settings.branches![0]!.conditions],
    [['b', 'a', 'else'], [[{ firstValue: 'M' }]]],
  );
  equal(
    names(
      both(
        [
          add(
            { parent: 'step_2', location: 'INSIDE_BRANCH', branchIndex: 0 },
            { type: 'CODE', name: 'n', displayName: 'n', valid: true, settings: {} },
          ),
        ],
        [first],
      ).version,
    ).slice(2, 5),
    ['step_2', 'n', 'step_3'],
  );
});

test('undo takes back the own change only, also of letters that were typed before and after a change of another writer', () => {
  const typed = (version: Version, displayName: string): Operation => ({
    type: 'UPDATE_ACTION',
    request: { ...givenOf(step(version, 'step_1')!), displayName },
  });
  const first = recorded(flow(), [typed(flow(), 'M')], { undo: [], redo: [] }, 0);
  const others = apply(apply(flow(), typed(flow(), 'M')), {
    ...update('step_1', { displayName: 'M' }, input({ a: 3 })),
  });
  const second = recorded(others, [typed(others, 'My')], afterOthers(first.history, new Map()), 100);
  const after = apply(others, typed(others, 'My'));
  let at = after;
  for (const gesture of [...second.history.undo].reverse()) {
    at = rebase(gesture.back, at).version;
  }
  equal([step(at, 'step_1')!.displayName, step(at, 'step_1')!.settings.input!['a']], ['step_1', 3]);
});

test('letters that follow one another are one gesture', () => {
  const typed = (displayName: string): Operation => update('step_1', { displayName });
  const first = recorded(flow(), [typed('M')], { undo: [], redo: [] }, 0);
  const second = recorded(apply(flow(), typed('M')), [typed('My')], first.history, 100);
  equal(second.history.undo.length, 1);
  const back = rebase(second.history.undo[0]!.back, apply(flow(), typed('My')));
  equal([back.conflicts, step(back.version, 'step_1')!.displayName], [[], 'step_1']);
  const forth = rebase(second.history.undo[0]!.forth, back.version);
  equal([forth.conflicts, step(forth.version, 'step_1')!.displayName], [[], 'My']);
});
