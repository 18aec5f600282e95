import type { Answer } from '../base/api/client';

export type Run = Answer<'GET /v1/flow-runs/{id}'>;
export type RunStatus = Run['status'];

const FAILED: readonly RunStatus[] = [
  'FAILED',
  'INTERNAL_ERROR',
  'TIMEOUT',
  'MEMORY_LIMIT_EXCEEDED',
  'LOG_SIZE_EXCEEDED',
  'QUOTA_EXCEEDED',
];

/** Groups of statuses for the filter, by their names in the address. */
export const groups = {
  succeeded: ['SUCCEEDED'],
  failed: FAILED,
  running: ['QUEUED', 'RUNNING'],
  paused: ['PAUSED'],
  canceled: ['CANCELED'],
} as const satisfies Record<string, readonly RunStatus[]>;

export type Group = keyof typeof groups;
export const groupNames = Object.keys(groups) as Group[];

export const isFailed = (run: { status: RunStatus }): boolean => FAILED.includes(run.status);
export const isLive = (run: { status: RunStatus }): boolean => ['QUEUED', 'RUNNING', 'PAUSED'].includes(run.status);

/** Time ranges of the filter in hours. */
export const ranges = { '1h': 1, '24h': 24, '7d': 168, '30d': 720 } as const;
export type Range = keyof typeof ranges;

const HOUR_MS = 3_600_000;

/** All fields are texts, because they are part of the address. */
export interface Filter {
  flow: string;
  status: Group | '';
  time: Range | '';
  tag: string;
  step: string;
  message: string;
  archived: boolean;
}

/** Invalid values do not filter. */
export function filterOf(part: (name: string) => string | null): Filter {
  const status = part('status') ?? '';
  const time = part('time') ?? '';
  return {
    flow: part('flow') ?? '',
    status: groupNames.includes(status as Group) ? (status as Group) : '',
    time: time in ranges ? (time as Range) : '',
    tag: part('tag') ?? '',
    step: part('step') ?? '',
    message: part('message') ?? '',
    archived: part('archived') === 'true',
  };
}

export const isNarrowed = (filter: Filter): boolean =>
  [filter.flow, filter.status, filter.time, filter.tag, filter.step, filter.message].some((part) => part !== '');

export function queryOf(filter: Filter, now: number) {
  return {
    flowId: filter.flow ? [filter.flow] : undefined,
    status: filter.status ? [...groups[filter.status]] : undefined,
    createdAfter: filter.time ? new Date(now - ranges[filter.time] * HOUR_MS).toISOString() : undefined,
    tags: filter.tag ? [filter.tag] : undefined,
    failedStepName: filter.step || undefined,
    failedStepMessage: filter.message || undefined,
    includeArchived: filter.archived || undefined,
  };
}

/** Rows after changes, newest first: `found` are the changed runs that still match the list. */
export function merged<R extends { id: string; created: string }>(
  rows: readonly R[],
  changed: readonly string[],
  found: readonly R[],
): R[] {
  const kept = rows.filter((row) => !changed.includes(row.id));
  return [...found, ...kept].sort((one, other) =>
    one.created < other.created ? 1 : one.created > other.created ? -1 : one.id < other.id ? 1 : -1,
  );
}

/** Duration of a run so far; undefined before it starts. */
export function elapsed(run: Pick<Run, 'startTime' | 'finishTime'>, now: number): number | undefined {
  return run.startTime
    ? Math.max(0, (run.finishTime ? Date.parse(run.finishTime) : now) - Date.parse(run.startTime))
    : undefined;
}

export function countsByGroup(counts: ReadonlyArray<{ status: RunStatus; count: number }>): Record<Group, number> {
  const sums = Object.fromEntries(groupNames.map((name) => [name, 0])) as Record<Group, number>;
  for (const { status, count } of counts) {
    const group = groupNames.find((name) => (groups[name] as readonly RunStatus[]).includes(status));
    if (group) {
      sums[group] += count;
    }
  }
  return sums;
}
