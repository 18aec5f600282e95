import { useMemo } from 'preact/hooks';
import { api, type Answer } from '../base/api/client';
import { askIf } from '../base/permissions';
import { useQuery } from '../base/query';
import { walk, type Step } from '../builder/steps';
import type { Run } from './model';

export interface KnownVersion {
  flow?: Answer<'GET /v1/flows/{id}'>;
  trigger?: Step;
  /** Number and name of a step. */
  title: (name: string) => string;
  /** Loops around a step, outermost first. */
  loopsOf: (name: string) => string[];
}

export function useFlowVersion(run: Pick<Run, 'flowId' | 'flowVersionId'> | undefined): KnownVersion {
  const flow = useQuery(`version ${run?.flowVersionId ?? ''}`, async (signal) =>
    run
      ? askIf('READ_FLOW', () =>
          api('GET /v1/flows/{id}', { path: { id: run.flowId }, query: { versionId: run.flowVersionId }, signal }),
        )
      : new Promise<never>(() => {}),
  );
  const trigger = flow.value?.version.trigger as Step | undefined;
  return useMemo(() => {
    const visited = trigger ? walk(trigger) : [];
    const byName = new Map(visited.map((each, index) => [each.step.name, { ...each, number: index + 1 }]));
    const loopsOf = (name: string): string[] => {
      const loops: string[] = [];
      for (let at = byName.get(name)?.place; at; at = byName.get(at.parent)?.place) {
        if (at.location === 'INSIDE_LOOP') {
          loops.unshift(at.parent);
        }
      }
      return loops;
    };
    const title = (name: string): string => {
      const found = byName.get(name);
      return found ? `${found.number}. ${found.step.displayName}` : flow.loading ? '…' : name;
    };
    return { ...(flow.value ? { flow: flow.value } : {}), ...(trigger ? { trigger } : {}), title, loopsOf };
  }, [trigger, flow.loading]);
}
