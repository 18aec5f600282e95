import { api } from '../base/api/client';
import { success } from '../base/api/failure';
import { useLive } from '../base/live/channel';
import { askIf } from '../base/permissions';
import { useQuery } from '../base/query';
import { strips, type Flow, type Run } from './model';
import { STRIP } from './Strip';

/** Limit of flows in one request. */
const FLOWS_MAX = 100;

/** Last runs of each listed flow, independent of the number of runs of other flows: one query per hundred flows, and channel events. */
export function useStrips(projectId: string, flows: Flow[] | undefined): Map<string, Run[]> {
  const ids = (flows ?? []).map((flow) => flow.id);
  const runs = useQuery<Run[]>(`strips ${projectId} ${ids.join(' ')}`, async (signal) => {
    const all: Run[] = [];
    for (let from = 0; from < ids.length; from += FLOWS_MAX) {
      const page = await askIf('READ_RUN', () =>
        api('GET /v1/flow-runs/latest', {
          query: { projectId, flowId: ids.slice(from, from + FLOWS_MAX), limit: STRIP },
          signal,
        }),
      );
      if (!page.ok) {
        return page;
      }
      all.push(...(page.value.data as Run[]));
    }
    return success(all);
  });
  const told = (data: unknown): void => {
    const run = (data as { flowRun?: Run }).flowRun;
    if (run && ids.includes(run.flowId)) {
      runs.put((all) =>
        [run, ...all.filter((each) => each.id !== run.id)].sort((one, other) =>
          other.created.localeCompare(one.created),
        ),
      );
    }
  };
  useLive('UPDATE_RUN_PROGRESS', told, [ids.join(' ')]);
  return strips(runs.value ?? [], STRIP);
}
