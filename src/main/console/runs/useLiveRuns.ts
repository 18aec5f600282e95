import { useEffect, useRef } from 'preact/hooks';
import { api } from '../base/api/client';
import { channel, useLive } from '../base/live/channel';
import type { Rows } from '../base/query';
import { merged, queryOf, type Filter, type Run } from './model';

interface RunsChanged {
  runIds: string[];
  more: boolean;
}

/**
 * Keeps a list of runs current: channel events name changed runs, and only those are fetched, with the filters of the
 * list, so that a run that no longer matches leaves it.
 */
export function useLiveRuns(projectId: string, filter: Filter, rows: Rows<Run>, changed: () => void): void {
  const asking = useRef(false);
  const waiting = useRef(new Set<string>());
  const look = async (): Promise<void> => {
    if (asking.current || waiting.current.size === 0) {
      return;
    }
    asking.current = true;
    const ids = [...waiting.current];
    waiting.current.clear();
    const found = await api('GET /v1/flow-runs', {
      query: { projectId, ...queryOf(filter, Date.now()), flowRunIds: ids, limit: ids.length },
    });
    asking.current = false;
    if (found.ok) {
      rows.put((all) => merged(all, ids, found.value.data as Run[]));
      changed();
    }
    void look();
  };
  const key = JSON.stringify([projectId, filter]);
  useLive(
    'RUNS_CHANGED',
    (data) => {
      const changes = data as RunsChanged;
      if (changes.more) {
        rows.reload();
        changed();
      } else {
        changes.runIds.forEach((id) => waiting.current.add(id));
        void look();
      }
    },
    [key],
  );
  useLive(
    'CONNECTED',
    () => {
      channel.send('WATCH_RUNS', {});
      rows.reload();
      changed();
    },
    [key],
  );
  useEffect(() => {
    channel.send('WATCH_RUNS', {});
  }, [projectId]);
}
