import type { Answer } from '../base/api/client';

export type Flow = Answer<'GET /v1/flows/{id}'>;
export type Folder = Answer<'GET /v1/folders/{id}'>;
export type Run = Answer<'GET /v1/flow-runs'>['data'][number] & {
  id: string;
  flowId: string;
  status: string;
  created: string;
};

interface Step {
  settings?: { pieceName?: string };
  nextAction?: Step;
  firstLoopAction?: Step;
  children?: Array<Step | null>;
  continueOnFailureBranches?: { onSuccess?: Step; onFailure?: Step };
}

export function stepsOf(trigger: Step): Step[] {
  const all: Step[] = [];
  const waiting: Array<Step | null | undefined> = [trigger];
  while (waiting.length > 0) {
    const step = waiting.pop();
    if (step) {
      all.push(step);
      const outcomes = step.continueOnFailureBranches;
      waiting.push(
        step.nextAction,
        outcomes?.onFailure,
        outcomes?.onSuccess,
        ...[...(step.children ?? [])].reverse(),
        step.firstLoopAction,
      );
    }
  }
  return all;
}

/** Pieces of a flow by name, each once; the trigger's first. */
export const piecesOf = (trigger: Step): string[] => [
  ...new Set(stepsOf(trigger).flatMap((step) => step.settings?.pieceName ?? [])),
];

export type Standing = 'on' | 'off' | 'unpublished';

export function standing(flow: Pick<Flow, 'status' | 'publishedVersionId'>): Standing {
  return flow.publishedVersionId === null ? 'unpublished' : flow.status === 'ENABLED' ? 'on' : 'off';
}

export const hasChanges = (flow: Pick<Flow, 'publishedVersionId'> & { version: { id: string } }): boolean =>
  flow.publishedVersionId !== null && flow.publishedVersionId !== flow.version.id;

/** Runs by flow, oldest first, limited to the length of a strip. */
export function strips<R extends { flowId: string }>(newestFirst: readonly R[], length: number): Map<string, R[]> {
  const byFlow = new Map<string, R[]>();
  for (const run of newestFirst) {
    const strip = byFlow.get(run.flowId) ?? [];
    if (strip.length < length) {
      strip.unshift(run);
    }
    byFlow.set(run.flowId, strip);
  }
  return byFlow;
}

/** Order of the list; the server's is enabled flows first, then the ones changed last. */
export const ORDERS = ['', 'name', 'changed', 'created'] as const;
export type Order = (typeof ORDERS)[number];

export const orderOf = (text: string | null): Order => ORDERS.find((order) => order === text) ?? '';

export function sorted<F extends { created: string; version: { displayName: string; updated: string } }>(
  flows: readonly F[],
  order: Order,
): F[] {
  const all = [...flows];
  switch (order) {
    case 'name':
      return all.sort((one, other) => one.version.displayName.localeCompare(other.version.displayName));
    case 'changed':
      return all.sort((one, other) => other.version.updated.localeCompare(one.version.updated));
    case 'created':
      return all.sort((one, other) => other.created.localeCompare(one.created));
    default:
      return all;
  }
}
