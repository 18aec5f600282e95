import { useEffect } from 'preact/hooks';
import { api } from '../base/api/client';
import { useQuery, type Query } from '../base/query';
import type { Run } from './model';

/** Runs of agents are told by no channel; a live one is looked at this often. */
const LOOK_MS = 1_000;

/** A run, looked at again until it has ended. */
export function useAgentRun(id: string): Query<Run> {
  const run = useQuery<Run>(`agent run ${id}`, (signal) => api('GET /v1/agents/runs/{id}', { path: { id }, signal }));
  const live = run.value?.status === 'STREAMING' && !run.loading;
  useEffect(() => {
    if (!live) {
      return undefined;
    }
    const timer = setTimeout(run.reload, LOOK_MS);
    return () => clearTimeout(timer);
  }, [live]);
  return run;
}
