import { api } from '../base/api/client';
import { success } from '../base/api/failure';
import { useLive } from '../base/live/channel';
import { askIf } from '../base/permissions';
import { useQuery } from '../base/query';
import { strips, type Flow, type Run } from './model';
import { STRIP } from './Strip';

const RUNS_MAX = 500;

/** The last runs of the flows that are shown: one question for all of them, asked again when a run is told of. */
export function useStrips(projectId: string, flows: Flow[] | undefined): Map<string, Run[]> {
  const ids = (flows ?? []).map((flow) => flow.id);
  const runs = useQuery<Run[]>(`strips ${projectId} ${ids.join(' ')}`, async (signal) => {
    if (ids.length === 0) {
      return success([]);
    }
    const page = await askIf('READ_RUN', () => api('GET /v1/flow-runs', { query: { projectId, flowId: ids, limit: Math.min(RUNS_MAX, ids.length * STRIP * 2) }, signal }));
    return page.ok ? success(page.value.data as Run[]) : page;
  });
  const told = (data: unknown): void => {
    const run = (data as { flowRun?: Run }).flowRun;
    if (run && ids.includes(run.flowId)) {
      runs.put((all) => [run, ...all.filter((each) => each.id !== run.id)].sort((one, other) => other.created.localeCompare(one.created)));
    }
  };
  useLive('UPDATE_RUN_PROGRESS', told, [ids.join(' ')]);
  return strips(runs.value ?? [], STRIP);
}
