import type { EventAction } from '#api';
import { ranges, type Range } from '../../runs/model';
import { ACTIONS } from '../events/model';

/** All fields are texts, because they are part of the address. */
export interface Filter {
  action: EventAction | '';
  project: string;
  user: string;
  time: Range | '';
}

const HOUR_MS = 3_600_000;

/** Invalid values do not filter. */
export function filterOf(part: (name: string) => string | null): Filter {
  const action = part('action') ?? '';
  const time = part('time') ?? '';
  return {
    action: ACTIONS.includes(action as EventAction) ? (action as EventAction) : '',
    project: part('project') ?? '',
    user: part('user') ?? '',
    time: time in ranges ? (time as Range) : '',
  };
}

export const isNarrowed = (filter: Filter): boolean => Object.values(filter).some((part) => part !== '');

export const queryOf = (filter: Filter, now: number) => ({
  ...(filter.action ? { action: [filter.action] } : {}),
  ...(filter.project ? { projectId: [filter.project] } : {}),
  ...(filter.user ? { userId: filter.user } : {}),
  ...(filter.time ? { createdAfter: new Date(now - ranges[filter.time] * HOUR_MS).toISOString() } : {}),
});
