import type { Alert, GitRepo, IconColor, Project, Release, ReleasePlan } from '#api';
import { palette } from '../base/palette';

export type { Alert, GitRepo, IconColor, Project, Release, ReleasePlan };

export const COLORS: Record<IconColor, string> = palette;

/** Limit of concurrent runs: null for none, undefined for an invalid number. */
export function jobsOf(text: string): number | null | undefined {
  const digits = text.trim();
  return digits === '' ? null : /^[1-9]\d{0,8}$/.test(digits) ? Number(digits) : undefined;
}
