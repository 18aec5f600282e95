import type { Alert, GitRepo, IconColor, Project, Release, ReleasePlan } from '#api';

export type { Alert, GitRepo, IconColor, Project, Release, ReleasePlan };

/** Colours of projects. */
export const COLORS: Record<IconColor, string> = {
  RED: '#ef4444',
  BLUE: '#3b82f6',
  YELLOW: '#eab308',
  PURPLE: '#a855f7',
  GREEN: '#22c55e',
  PINK: '#f472b6',
  VIOLET: '#9333ea',
  ORANGE: '#f97316',
  DARK_GREEN: '#15803d',
  CYAN: '#06b6d4',
  LAVENDER: '#8b5cf6',
  DEEP_ORANGE: '#ea580c',
};

/** Limit of concurrent runs: null for none, undefined for an invalid number. */
export function jobsOf(text: string): number | null | undefined {
  const digits = text.trim();
  return digits === '' ? null : /^[1-9]\d{0,8}$/.test(digits) ? Number(digits) : undefined;
}
