import { equal, holds, test } from '../../base/testing';
import { afterOthers, recorded, type History } from '../history';
import { add, apply, givenOf, type Operation, type Version } from '../operations';
import { branch, codeStep, versionOf } from '../samples';
import { findStep, freeNames, walk, type Step } from '../steps';
import { rebase, type Conflict, type Dropped } from './rebase';
import type { Edit } from './seen';

interface Server {
  version: Version;
  updated: number;
}

/** Property set by a writer, expected at the end unless another writer set it, too. */
interface Change {
  writer: string;
  operations: Operation[];
  isThere: (version: Version) => boolean;
  about: string;
}

const random = (seed: number): ((below: number) => number) => {
  let state = (seed * 2_654_435_761) >>> 0 || 1;
  return (below) => {
    state ^= state << 13;
    state >>>= 0;
    state ^= state >>> 17;
    state ^= state << 5;
    state >>>= 0;
    return state % below;
  };
};

const code = (name: string, next?: Step): Step => codeStep(name, next ? { nextAction: next } : {});

const flow = (): Version =>
  versionOf(
    code(
      'step_1',
      code('step_2', {
        ...code('step_3', code('step_4')),
        type: 'ROUTER',
        settings: { branches: [branch('a'), branch('b'), { branchName: 'otherwise', branchType: 'FALLBACK' }] },
        children: [null, null, null],
      }),
    ),
  );

const update = (step: Step, change: (given: ReturnType<typeof givenOf>) => void): Operation => {
  const request = JSON.parse(JSON.stringify(givenOf(step))) as ReturnType<typeof givenOf>;
  change(request);
  return step.name === 'trigger' ? { type: 'UPDATE_TRIGGER', request } : { type: 'UPDATE_ACTION', request };
};

const stepCalled = (version: Version, displayName: string): Step | undefined =>
  walk(version.trigger).find(({ step }) => step.displayName === displayName)?.step;

/** Next change of a writer: to a property, step, branch or note that only this writer changes. */
function changeOf(version: Version, writer: string, number: number, pick: (below: number) => number): Change {
  const own = `${writer}${number}`;
  const fixed = ['step_1', 'step_2', 'step_4'].map((name) => findStep(version.trigger, name)!);
  const step = fixed[pick(fixed.length)]!;
  const isThere = (now: Version): boolean => findStep(now.trigger, step.name)?.settings.input?.[own] === number;
  switch (pick(8)) {
    case 0:
    case 1:
    case 2:
      return {
        writer,
        about: `input ${own} of ${step.name}`,
        isThere,
        operations: [
          update(step, (given) => {
            given.settings.input = { ...given.settings.input, [own]: number };
          }),
        ],
      };
    case 3: {
      const at = walk(version.trigger).filter(({ step: each }) => each.type !== 'ROUTER');
      const name = freeNames(version.trigger, 1)[0]!;
      const place = { parent: at[pick(at.length)]!.step.name, location: 'AFTER' as const };
      return {
        writer,
        about: `step ${own} as ${name}`,
        operations: [
          add(place, { type: 'CODE', name, displayName: own, valid: true, settings: { input: { of: own } } }),
        ],
        isThere: (now) => stepCalled(now, own)?.settings.input?.['of'] === own,
      };
    }
    case 4:
      return {
        writer,
        about: `note ${own}`,
        isThere: (now) => now.notes.some(({ id }) => id === own),
        operations: [
          {
            type: 'ADD_NOTE',
            request: { id: own, content: own, color: 'blue', position: { x: 1, y: 2 }, size: { width: 3, height: 4 } },
          },
        ],
      };
    case 5:
      return {
        writer,
        about: `branch ${own}`,
        isThere: (now) =>
          findStep(now.trigger, 'step_3')!.settings.branches!.some(({ branchName }) => branchName === own),
        operations: [
          {
            type: 'ADD_BRANCH',
            request: {
              stepName: 'step_3',
              branchIndex: pick(findStep(version.trigger, 'step_3')!.settings.branches!.length),
              branchName: own,
            },
          },
        ],
      };
    case 6: {
      const router = findStep(version.trigger, 'step_3')!;
      const branchIndex = pick(router.settings.branches!.length);
      const name = freeNames(version.trigger, 1)[0]!;
      const { branchName } = router.settings.branches![branchIndex]!;
      return {
        writer,
        about: `step ${own} in branch ${branchName}`,
        operations: [
          add(
            { parent: 'step_3', location: 'INSIDE_BRANCH', branchIndex },
            { type: 'CODE', name, displayName: own, valid: true, settings: {} },
          ),
        ],
        isThere: (now) => {
          const at = findStep(now.trigger, 'step_3')!;
          const head = at.children?.[at.settings.branches!.findIndex((each) => each.branchName === branchName)];
          return head ? walk(head).some(({ step: each }) => each.displayName === own) : false;
        },
      };
    }
    default: {
      // A property that all writers set.
      return {
        writer,
        about: `shared ${own}`,
        isThere: (now) => findStep(now.trigger, 'step_1')!.settings.input!['shared'] === own,
        operations: [
          update(findStep(version.trigger, 'step_1')!, (given) => {
            given.settings.input = { ...given.settings.input, shared: own };
          }),
        ],
      };
    }
  }
}

class EditorTab {
  pending: Edit[] = [];
  conflicts: Conflict[] = [];
  dropped: Dropped[] = [];
  history: History = { undo: [], redo: [] };
  private known: number;
  private atMs = 0;

  constructor(
    readonly writer: string,
    private readonly server: Server,
    public version: Version = server.version,
  ) {
    this.known = server.updated;
  }

  perform(operations: Operation[]): void {
    // Five seconds apart, so that each is a separate gesture.
    const { edits, history } = recorded(this.version, operations, this.history, (this.atMs += 5_000));
    this.history = history;
    this.queue(edits);
  }

  undo(): void {
    const gesture = this.history.undo.pop()!;
    const result = rebase(gesture.back, this.version);
    this.take(result);
    this.queue(result.edits);
  }

  private queue(edits: Edit[]): void {
    this.pending.push(...edits);
    this.version = edits.map(({ operation }) => operation).reduce(apply, this.version);
  }

  private take({ conflicts, dropped, renames }: ReturnType<typeof rebase>): void {
    this.conflicts.push(...conflicts);
    this.dropped.push(...dropped);
    this.history = afterOthers(this.history, renames);
  }

  /** Reads the flow again, as after a channel event. */
  read(): void {
    const result = rebase(this.pending, this.server.version);
    this.known = this.server.updated;
    this.pending = result.edits;
    this.version = result.version;
    this.take(result);
  }

  send(): void {
    if (this.pending.length > 0 && this.known !== this.server.updated) {
      this.read();
    }
    const first = this.pending.shift();
    if (first) {
      this.server.version = apply(this.server.version, first.operation);
      this.known = ++this.server.updated;
    }
  }
}

/** Steps and branches may contain steps of other writers by now; properties and notes have one writer. */
const isUndone = (change: Change | undefined): boolean => change !== undefined && /^(input|note) /.test(change.about);

for (let seed = 1; seed <= 40; seed++) {
  test(`40 operations of three writers in the order of seed ${seed}: every change is present, or shown as a conflict`, () => {
    const pick = random(seed);
    const server: Server = { version: flow(), updated: 1 };
    const tabs = [new EditorTab('A', server), new EditorTab('B', server)];
    const changes: Change[] = [];
    for (let number = 0; number < 40; ) {
      const who = pick(3);
      const tab = tabs[who];
      const act = pick(4);
      if (!tab) {
        const change = changeOf(server.version, 'C', number++, pick);
        server.version = change.operations.reduce(apply, server.version);
        server.updated++;
        changes.push(change);
      } else if (act === 0) {
        tab.send();
      } else if (act === 1 && pick(3) === 0) {
        tab.read();
      } else if (act === 2 && pick(3) === 0 && isUndone(changes.findLast((change) => change.writer === tab.writer))) {
        tab.undo();
        changes.splice(
          changes.findLastIndex((change) => change.writer === tab.writer),
          1,
        );
      } else {
        const change = changeOf(tab.version, tab.writer, number++, pick);
        tab.perform(change.operations);
        changes.push(change);
      }
    }
    for (const tab of tabs) {
      while (tab.pending.length > 0) {
        tab.send();
      }
      equal(tab.dropped, [], `nothing is dropped of ${tab.writer}`);
    }
    const isShared = ({ about }: Change): boolean => about.startsWith('shared');
    equal(
      changes.filter((change) => !isShared(change) && !change.isThere(server.version)).map(({ about }) => about),
      [],
      'lost',
    );
    const shared = changes.filter(isShared);
    const found = findStep(server.version.trigger, 'step_1')!.settings.input!['shared'];
    holds(
      shared.length === 0 ||
        shared.some((change) => change.isThere(server.version)) ||
        tabs.some(({ conflicts }) => conflicts.length > 0),
      `shared is ${String(found)}`,
    );
    const names = walk(server.version.trigger).map(({ step }) => step.name);
    equal(names.length, new Set(names).size, 'names of steps are unique');
    tabs.forEach((tab) => tab.read());
    tabs.forEach((tab) => equal(tab.version, server.version, 'every editor shows the flow of the server'));
  });
}
