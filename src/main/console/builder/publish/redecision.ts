import type { Failure } from '../../base/api/failure';
import { parseJson } from '../../base/json';

export type Kind =
  | 'SAME'
  | 'OTHER_BRANCH'
  | 'OTHER_INPUT'
  | 'OTHER_ANSWER'
  | 'OTHER_CALLS'
  | 'OTHER_END'
  | 'UNKNOWN'
  | 'NOT_RECOMPUTABLE';

/** Counts of re-decided runs, sent after each batch. */
export interface Counts {
  runs: number;
  same: number;
  otherBranch: number;
  otherAnswer: number;
  unknown: number;
}

export interface Example {
  runId: string;
  created: string;
  path: string;
  before?: unknown;
  now?: unknown;
}

/** Runs with the same first difference. */
export interface Group {
  kind: Kind;
  step?: string;
  count: number;
  reason?: string;
  examples?: Example[];
}

export interface Redecision extends Counts {
  groups: Group[];
}

export type Comparison =
  | { state: 'running'; counts?: Counts }
  | { state: 'done'; result: Redecision }
  | { state: 'failed'; failure?: Failure; message?: string };

/** Unknown events change nothing. */
export function after(before: Comparison, event: { name: string; data: string }): Comparison {
  switch (event.name) {
    case 'progress':
      return before.state === 'running' ? { state: 'running', counts: JSON.parse(event.data) as Counts } : before;
    case 'result':
      return { state: 'done', result: parseJson(event.data) as Redecision };
    case 'error':
      return { state: 'failed', message: (JSON.parse(event.data) as { message: string }).message };
    default:
      return before;
  }
}

export function headlineOf({ runs, same, otherBranch }: Counts): 'noRuns' | 'branch' | 'allSame' | 'noBranch' {
  return runs === 0 ? 'noRuns' : otherBranch > 0 ? 'branch' : same === runs ? 'allSame' : 'noBranch';
}

export function restOf({ runs, same, otherBranch, otherAnswer, groups }: Redecision): {
  same: number;
  answer: number;
  other: number;
  unknown: number;
} {
  const unknown = groups
    .filter(({ kind }) => kind === 'UNKNOWN' || kind === 'NOT_RECOMPUTABLE')
    .reduce((sum, group) => sum + group.count, 0);
  return { same, answer: otherAnswer, other: runs - same - otherBranch - otherAnswer - unknown, unknown };
}

/** Groups that differ, largest first; runs without data are last. */
export function differing(groups: readonly Group[]): Group[] {
  const rank = (group: Group): number =>
    group.kind === 'OTHER_BRANCH' ? 0 : group.kind === 'UNKNOWN' ? 2 : group.kind === 'NOT_RECOMPUTABLE' ? 3 : 1;
  return groups
    .filter((group) => group.kind !== 'SAME')
    .sort((one, other) => rank(one) - rank(other) || other.count - one.count);
}

export function valueOf(value: unknown): string {
  return Array.isArray(value) && value.every((each) => typeof each === 'string')
    ? value.join(', ')
    : typeof value === 'string'
      ? value
      : (JSON.stringify(value, null, 2) ?? '');
}
