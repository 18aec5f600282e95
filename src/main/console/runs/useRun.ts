import { useEffect, useRef } from 'preact/hooks';
import { api } from '../base/api/client';
import { parseJson } from '../base/json';
import { listen } from '../base/live/stream';
import { useQuery, type Query } from '../base/query';
import { isLive, type Run } from './model';
import { keyOf, recordAt, withRecord, type Place, type StepRecord } from './steps';

interface StepTold {
  name: string;
  path: Place;
  output: StepRecord;
}

export interface WatchedRun extends Query<Run> {
  /** Time since this view first saw the running step. */
  liveMs: (record: StepRecord) => number;
}

/** The event stream updates a live run; events that arrive together are rendered once. */
export function useRun(id: string): WatchedRun {
  const run = useQuery<Run>(`run ${id}`, (signal) => api('GET /v1/flow-runs/{id}', { path: { id }, signal }));
  const seen = useRef(new WeakMap<StepRecord, number>());
  const live = run.value ? isLive(run.value) : false;
  useEffect(() => {
    if (!live) {
      return undefined;
    }
    let changes: Array<(before: Run) => Run> = [];
    const show = (): void => {
      const now = changes;
      changes = [];
      run.put((before) => now.reduce((each, change) => change(each), before));
    };
    const change = (one: (before: Run) => Run): void => {
      if (changes.push(one) === 1) {
        requestAnimationFrame(show);
      }
    };
    return listen(
      `/v1/flow-runs/${id}/events`,
      (event) => {
        if (event.name === 'step') {
          const told = parseJson(event.data) as StepTold;
          change((before) => withStep(before, told, seen.current));
        } else if (event.name === 'run') {
          const told = parseJson(event.data) as Run;
          change((before) => ({ ...told, ...(before.steps ? { steps: before.steps } : {}) }));
          if (!isLive(told)) {
            // Reload at the end: steps of an earlier attempt may be gone.
            run.reload();
          }
        }
      },
      (event) => event.name === 'run' && !isLive(parseJson(event.data) as Run),
    );
  }, [id, live]);
  return { ...run, liveMs: (record) => Date.now() - (seen.current.get(record) ?? Date.now()) };
}

function withStep(run: Run, told: StepTold, seen: WeakMap<StepRecord, number>): Run {
  const steps = run.steps ?? {};
  if (told.output.status === 'RUNNING') {
    const before = recordAt(steps, keyOf(told.path, told.name));
    seen.set(told.output, (before && seen.get(before)) ?? Date.now());
  }
  // Events of a paused step carry only the changed fields.
  const known = told.output.status === 'PAUSED' ? recordAt(steps, keyOf(told.path, told.name)) : undefined;
  return { ...run, steps: withRecord(steps, told.path, told.name, known ? { ...known, ...told.output } : told.output) };
}
