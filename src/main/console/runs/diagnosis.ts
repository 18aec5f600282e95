import type { Answer } from '../base/api/client';

export type Diagnosis = Answer<'GET /v1/flow-runs/{id}/diagnosis'>;
export type Action = Diagnosis['actions'][number];

export interface Claim {
  key: string;
  kind: 'difference' | 'change' | 'similar';
  text: string;
  to?: string;
}

export interface Words {
  difference: (step: string, path: string, before: string, now: string, more: number) => string;
  similar: (count: number, days: number) => string;
}

function pageOf(evidence: ReadonlyArray<{ console: string }>): { to?: string } {
  const to = evidence[0]?.console;
  return to ? { to } : {};
}

/** Statements in the order of the page: the difference in the data, changes, similar failures. */
export function claimsOf(diagnosis: Diagnosis, words: Words): Claim[] {
  const claims: Claim[] = [];
  const difference = diagnosis.difference;
  const first = difference?.differences[0];
  if (difference && first) {
    claims.push({
      key: 'difference',
      kind: 'difference',
      text: words.difference(
        difference.stepName,
        first.path,
        first.before,
        first.now,
        difference.differences.length - 1,
      ),
      ...pageOf(diagnosis.comparedWith?.evidence ?? difference.evidence),
    });
  }
  diagnosis.changes.forEach((change, index) =>
    claims.push({ key: `change ${index}`, kind: 'change', text: change.text, ...pageOf(change.evidence) }),
  );
  const similar = diagnosis.similar;
  if (similar && similar.count > 1) {
    claims.push({
      key: 'similar',
      kind: 'similar',
      text: words.similar(similar.count, similar.days.length),
      ...pageOf(similar.evidence),
    });
  }
  return claims;
}

/** Actions that the head of a run offers; retries are in the menu of the page, replays in the panel of the step. */
export function offered(diagnosis: Diagnosis): Action[] {
  return diagnosis.actions.filter(
    (action) =>
      action.kind === 'RECONNECT' ||
      action.kind === 'RAISE_LIMIT' ||
      (action.kind === 'RETRY' && (action.body as { strategy?: string } | undefined)?.strategy === 'FROM_FAILED_STEP'),
  );
}

/** Bars of the failures by day: heights from 0 to 1 over the last days, without gaps. */
export function barsOf(
  days: ReadonlyArray<{ day: string; count: number }>,
  until: string,
  length: number,
): Array<{ day: string; count: number; height: number }> {
  const counts = new Map(days.map((each) => [each.day, each.count]));
  const end = Date.parse(`${until.slice(0, 10)}T00:00:00Z`);
  const shown = Array.from({ length }, (_, index) =>
    new Date(end - (length - 1 - index) * 86_400_000).toISOString().slice(0, 10),
  );
  const highest = Math.max(1, ...shown.map((day) => counts.get(day) ?? 0));
  return shown.map((day) => ({ day, count: counts.get(day) ?? 0, height: (counts.get(day) ?? 0) / highest }));
}
