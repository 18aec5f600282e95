import type { Run } from './model';

export type StepRecord = NonNullable<Run['steps']>[string];
export type StepRecords = Record<string, StepRecord>;

/** Where a step was executed: the loops around it, each with the 0-based iteration. */
export type Place = ReadonlyArray<readonly [loop: string, iteration: number]>;

interface LoopOutput {
  iterations?: StepRecords[];
}

/** The iterations of a loop's record; none for any other record. */
export const iterationsOf = (record: StepRecord | undefined): StepRecords[] =>
  record?.type === 'LOOP_ON_ITEMS' ? ((record.output as LoopOutput | undefined)?.iterations ?? []) : [];

/** One text for a step at a place; also its key in the address: `step_1[3].step_2`. */
export const keyOf = (place: Place, name: string): string => [...place.map(([loop, iteration]) => `${loop}[${iteration + 1}]`), name].join('.');

/** What such a text says. */
export function placeOf(key: string): { place: Place; name: string } {
  const parts = key.split('.');
  const name = parts.pop() ?? '';
  const place = parts.flatMap((part): Array<readonly [string, number]> => {
    const match = /^(.+)\[(\d+)\]$/.exec(part);
    return match ? [[match[1] ?? '', Number(match[2]) - 1]] : [];
  });
  return { place, name };
}

/** The records beside each other at a place. */
export function recordsAt(steps: StepRecords, place: Place): StepRecords {
  return place.reduce<StepRecords>((records, [loop, iteration]) => iterationsOf(records[loop])[iteration] ?? {}, steps);
}

export const recordAt = (steps: StepRecords, key: string): StepRecord | undefined => {
  const { place, name } = placeOf(key);
  return recordsAt(steps, place)[name];
};

/** The steps with one record more or another one, as the channel tells it; nothing is changed in place. */
export function withRecord(steps: StepRecords, place: Place, name: string, record: StepRecord): StepRecords {
  const [level, ...rest] = place;
  if (level === undefined) {
    const before = steps[name];
    const kept = iterationsOf(before);
    // What is told of a loop has no iterations: they are told one step at a time.
    const whole = kept.length > 0 && !(record.output as LoopOutput | undefined)?.iterations
      ? { ...record, output: { ...(record.output as object | undefined), iterations: kept } }
      : record;
    return { ...steps, [name]: whole };
  }
  const [loop, iteration] = level;
  const around: StepRecord = steps[loop] ?? { type: 'LOOP_ON_ITEMS', status: 'SUCCEEDED', input: {} };
  const iterations = [...iterationsOf(around)];
  while (iterations.length <= iteration) {
    iterations.push({});
  }
  iterations[iteration] = withRecord(iterations[iteration] ?? {}, rest, name, record);
  return { ...steps, [loop]: { ...around, output: { ...(around.output as object | undefined), iterations } } };
}

export type Standing = 'SUCCEEDED' | 'FAILED' | 'RUNNING' | 'PAUSED' | 'STOPPED';

/** How an iteration, or a whole run's worth of records, stands: the worst of its steps. */
export function standingOf(records: StepRecords): Standing {
  const found = new Set<Standing>();
  for (const record of Object.values(records)) {
    found.add(loopStanding(record));
  }
  return (['FAILED', 'RUNNING', 'PAUSED', 'STOPPED'] as const).find((status) => found.has(status)) ?? 'SUCCEEDED';
}

/** A loop is recorded as succeeded from its start; what happened in it says more. */
export const loopStanding = (record: StepRecord): Standing => {
  const worst = iterationsOf(record).length > 0 ? lastStanding(iterationsOf(record)) : 'SUCCEEDED';
  return worst === 'SUCCEEDED' ? record.status : worst;
};

/** Only the last iteration can be unfinished or have ended the run. */
const lastStanding = (iterations: StepRecords[]): Standing => standingOf(iterations[iterations.length - 1] ?? {});

/** The key of the step that a reader looks for first: the one that failed, in the iteration where it did. */
export function firstOfInterest(steps: StepRecords, place: Place = []): string | undefined {
  const names = Object.keys(steps).reverse();
  for (const wanted of ['FAILED', 'RUNNING', 'PAUSED'] as const) {
    for (const name of names) {
      const record = steps[name]!;
      if (loopStanding(record) === wanted) {
        const iterations = iterationsOf(record);
        const last = iterations.length - 1;
        const inner = iterations.length > 0 ? firstOfInterest(iterations[last] ?? {}, [...place, [name, last]]) : undefined;
        return inner ?? keyOf(place, name);
      }
    }
  }
  return undefined;
}
