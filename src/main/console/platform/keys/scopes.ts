import type { KeyScope } from '#api';

const subjectOf = (scope: KeyScope): string => scope.replace(/^(READ|WRITE|UPDATE)_/, '').replace(/_STATUS$/, '');

/** Scopes of keys, in the order of the API. */
export const SCOPES: readonly KeyScope[] = [
  'READ_FLOW',
  'WRITE_FLOW',
  'UPDATE_FLOW_STATUS',
  'READ_RUN',
  'WRITE_RUN',
  'READ_FOLDER',
  'WRITE_FOLDER',
  'READ_APP_CONNECTION',
  'WRITE_APP_CONNECTION',
  'READ_VARIABLE',
  'WRITE_VARIABLE',
  'READ_TABLE',
  'WRITE_TABLE',
  'READ_AGENT',
  'WRITE_AGENT',
  'READ_MCP',
  'WRITE_MCP',
  'READ_KNOWLEDGE_BASE',
  'WRITE_KNOWLEDGE_BASE',
  'READ_PROJECT',
  'WRITE_PROJECT',
  'READ_PROJECT_MEMBER',
  'WRITE_PROJECT_MEMBER',
  'READ_INVITATION',
  'WRITE_INVITATION',
  'READ_PROJECT_RELEASE',
  'WRITE_PROJECT_RELEASE',
  'READ_ALERT',
  'WRITE_ALERT',
  'READ_PLATFORM',
  'WRITE_PLATFORM',
];

export function scopeGroups(): Array<{ key: string; permissions: KeyScope[] }> {
  const groups = new Map<string, KeyScope[]>();
  for (const scope of SCOPES) {
    const key = subjectOf(scope);
    groups.set(key, [...(groups.get(key) ?? []), scope]);
  }
  return [...groups].map(([key, permissions]) => ({ key, permissions }));
}

/** Lifetimes of a key in days; 0 means no expiry. */
export const LIFETIMES = { never: 0, month: 30, quarter: 90, year: 365 } as const;
export type Lifetime = keyof typeof LIFETIMES;

const DAY_MS = 86_400_000;

/** Expiry of a key; null for none. */
export const endOf = (lifetime: Lifetime, now: number): string | null =>
  LIFETIMES[lifetime] === 0 ? null : new Date(now + LIFETIMES[lifetime] * DAY_MS).toISOString();
