import { lineOf } from './errors';
import { isFailed, type Run } from './model';

/** Failed runs with one cause: the same step of the same flow failed with the same message. */
export interface Cause {
  key: string;
  flowId: string;
  flowName: string;
  /** Step name; empty if the run failed outside of steps. */
  step: string;
  stepName: string;
  message: string;
  status: Run['status'];
  runs: Run[];
  first: string;
  last: string;
}

/** Message without ids, numbers, times and quoted values, which differ between runs. Messages of the same shape have one cause. */
export function shapeOf(message: string): string {
  return message
    .replace(/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/gi, '#')
    .replace(/\d{4}-\d\d-\d\dT[\d:.]+Z?/g, '#')
    .replace(/"[^"]*"|'[^']*'|“[^”]*”/g, '#')
    .replace(/\b(?=[0-9a-z]*\d)[0-9a-z]{12,}\b/gi, '#')
    .replace(/\d+(?:[.,]\d+)*/g, '#')
    .replace(/\s+/g, ' ')
    .trim()
    .toLowerCase();
}

/** Causes of runs, most frequent first; the latest first among equals. */
export function causesOf(newestFirst: readonly Run[]): Cause[] {
  const causes = new Map<string, Cause>();
  for (const run of newestFirst.filter(isFailed)) {
    const message = lineOf(run.failedStep?.message ?? '');
    const key = [run.flowId, run.status, run.failedStep?.name ?? '', shapeOf(message)].join('\n');
    const known = causes.get(key);
    if (known) {
      known.runs.push(run);
      known.first = run.created;
    } else {
      causes.set(key, {
        key,
        flowId: run.flowId,
        flowName: run.flowVersion?.displayName ?? '',
        step: run.failedStep?.name ?? '',
        stepName: run.failedStep?.displayName ?? '',
        message,
        status: run.status,
        runs: [run],
        first: run.created,
        last: run.created,
      });
    }
  }
  return [...causes.values()].sort(
    (one, other) => other.runs.length - one.runs.length || (one.last < other.last ? 1 : -1),
  );
}
