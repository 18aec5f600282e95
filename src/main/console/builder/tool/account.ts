import { add, givenOf, type Operation, type Version } from '../operations';
import { findStep, freeNames, walk, type Step } from '../steps';

/**
 * Number of times that the flow contains a marker, according to the responses: `min` and `max` differ after an edit
 * whose outcome is unknown.
 */
export interface Expected {
  min: number;
  max: number;
  value?: string | undefined;
}

type Kind = 'step' | 'note' | 'branch';

export interface OwnEdit {
  operation: Operation;
  marker: string;
  kind: Kind;
  change: number;
  value?: string;
}

/** Step with branches that all writers add to. */
export const ROUTER = 'step_1';

const OWN_MAX = 8;

export const ownStep = (version: Version, marker: string): Step | undefined =>
  walk(version.trigger).find(({ step }) => step.settings.input?.['of'] === marker)?.step;

const size = { width: 200, height: 100 };

/** Edits of one writer, each of objects that only this writer changes. */
export class Account {
  readonly expected = new Map<string, Expected>();
  private readonly kinds = new Map<string, Kind>();
  private readonly noteIds = new Map<string, string>();
  private number = 0;

  constructor(
    private readonly writer: string,
    private readonly pick: (below: number) => number,
    private readonly id: () => string,
  ) {}

  next(version: Version): OwnEdit {
    const own = [...this.kinds.keys()];
    if (own.length >= OWN_MAX) {
      return this.removal(version, own[0]!);
    }
    const marker = `${this.writer}-${++this.number}`;
    const steps = own.filter((each) => this.kinds.get(each) === 'step' && ownStep(version, each));
    const kind = this.pick(steps.length > 0 ? 6 : 3);
    if (kind === 0) {
      const content = marker;
      const id = this.id();
      this.noteIds.set(marker, id);
      return {
        kind: 'note',
        marker,
        change: 1,
        operation: { type: 'ADD_NOTE', request: { id, content, color: 'blue', position: { x: 1, y: 2 }, size } },
      };
    }
    if (kind === 1) {
      return {
        kind: 'branch',
        marker,
        change: 1,
        operation: { type: 'ADD_BRANCH', request: { stepName: ROUTER, branchIndex: 0, branchName: marker } },
      };
    }
    if (kind === 2) {
      const given = {
        type: 'CODE' as const,
        name: freeNames(version.trigger, 1)[0]!,
        displayName: marker,
        valid: true,
        settings: {
          input: { of: marker },
          sourceCode: { code: 'export const code = async () => true;', packageJson: '{}' },
        },
      };
      return { kind: 'step', marker, change: 1, operation: add({ parent: 'trigger', location: 'AFTER' }, given) };
    }
    const chosen = steps[this.pick(steps.length)]!;
    const step = ownStep(version, chosen)!;
    if (kind === 3) {
      return {
        kind: 'step',
        marker: chosen,
        change: 1,
        operation: { type: 'DUPLICATE_ACTION', request: { stepName: step.name } },
      };
    }
    const value = `${marker} of ${chosen}`;
    const request = givenOf(step);
    return {
      kind: 'step',
      marker: chosen,
      change: 0,
      value,
      operation: { type: 'UPDATE_ACTION', request: { ...request, displayName: value } },
    };
  }

  private removal(version: Version, marker: string): OwnEdit {
    const kind = this.kinds.get(marker)!;
    const change = -(this.expected.get(marker)?.max ?? 0);
    if (kind === 'note') {
      return { kind, marker, change, operation: { type: 'DELETE_NOTE', request: { id: this.noteIds.get(marker)! } } };
    }
    if (kind === 'branch') {
      const branchIndex = findStep(version.trigger, ROUTER)!.settings.branches!.findIndex(
        (each) => each.branchName === marker,
      );
      return { kind, marker, change, operation: { type: 'DELETE_BRANCH', request: { stepName: ROUTER, branchIndex } } };
    }
    const names = walk(version.trigger)
      .filter(({ step }) => step.settings.input?.['of'] === marker)
      .map(({ step }) => step.name);
    return { kind, marker, change, operation: { type: 'DELETE_ACTION', request: { names } } };
  }

  made(edit: OwnEdit): void {
    if (edit.change < 0) {
      this.kinds.delete(edit.marker);
    } else {
      this.kinds.set(edit.marker, edit.kind);
    }
    const before = this.expected.get(edit.marker) ?? { min: 0, max: 0 };
    this.expected.set(
      edit.marker,
      edit.change < 0
        ? { min: 0, max: 0 }
        : { min: before.min + edit.change, max: before.max + edit.change, value: edit.value ?? before.value },
    );
  }

  /** Records that the outcome of an edit is unknown; its objects are not changed again. */
  unclear(edit: OwnEdit): void {
    const now = this.expected.get(edit.marker)!;
    this.kinds.delete(edit.marker);
    this.expected.set(
      edit.marker,
      edit.change < 0 ? { min: 0, max: -edit.change } : { min: Math.max(0, now.min - edit.change), max: now.max },
    );
  }
}
