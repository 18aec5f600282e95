import type { Run } from './model';

export type StepRecord = NonNullable<Run['steps']>[string];
export type StepRecords = Record<string, StepRecord>;

/** Location of a step record: the enclosing loops, each with the 0-based iteration. */
export type Place = ReadonlyArray<readonly [loop: string, iteration: number]>;

interface LoopOutput {
  iterations?: StepRecords[];
}

export const iterationsOf = (record: StepRecord | undefined): StepRecords[] =>
  record?.type === 'LOOP_ON_ITEMS' ? ((record.output as LoopOutput | undefined)?.iterations ?? []) : [];

/** Key of a step record, also in the address: `step_1[3].step_2`, with 1-based iterations. */
export const keyOf = (place: Place, name: string): string =>
  [...place.map(([loop, iteration]) => `${loop}[${iteration + 1}]`), name].join('.');

export function placeOf(key: string): { place: Place; name: string } {
  const parts = key.split('.');
  const name = parts.pop() ?? '';
  const place = parts.flatMap((part): Array<readonly [string, number]> => {
    const match = /^(.+)\[(\d+)\]$/.exec(part);
    return match ? [[match[1] ?? '', Number(match[2]) - 1]] : [];
  });
  return { place, name };
}

export function recordsAt(steps: StepRecords, place: Place): StepRecords {
  return place.reduce<StepRecords>((records, [loop, iteration]) => iterationsOf(records[loop])[iteration] ?? {}, steps);
}

export const recordAt = (steps: StepRecords, key: string): StepRecord | undefined => {
  const { place, name } = placeOf(key);
  return recordsAt(steps, place)[name];
};

/** Records with one added or replaced, as the event stream delivers it; nothing is mutated. */
export function withRecord(steps: StepRecords, place: Place, name: string, record: StepRecord): StepRecords {
  const [level, ...rest] = place;
  if (level === undefined) {
    const before = steps[name];
    const kept = iterationsOf(before);
    // Events of a loop carry no iterations, which arrive step by step: keep the known ones.
    const whole =
      kept.length > 0 && !(record.output as LoopOutput | undefined)?.iterations
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

/** Worst state among records. */
export function standingOf(records: StepRecords): Standing {
  const found = new Set<Standing>();
  for (const record of Object.values(records)) {
    found.add(loopStanding(record));
  }
  return (['FAILED', 'RUNNING', 'PAUSED', 'STOPPED'] as const).find((status) => found.has(status)) ?? 'SUCCEEDED';
}

/** Loops are recorded as succeeded from their start: the state of their steps takes precedence. */
export const loopStanding = (record: StepRecord): Standing => {
  const worst = iterationsOf(record).length > 0 ? lastStanding(iterationsOf(record)) : 'SUCCEEDED';
  return worst === 'SUCCEEDED' ? record.status : worst;
};

/** Only the last iteration can be unfinished or have ended the run. */
const lastStanding = (iterations: StepRecords[]): Standing => standingOf(iterations[iterations.length - 1] ?? {});

export function firstOfInterest(steps: StepRecords, place: Place = []): string | undefined {
  const names = Object.keys(steps).reverse();
  for (const wanted of ['FAILED', 'RUNNING', 'PAUSED'] as const) {
    for (const name of names) {
      const record = steps[name]!;
      if (loopStanding(record) === wanted) {
        const iterations = iterationsOf(record);
        const last = iterations.length - 1;
        const inner =
          iterations.length > 0 ? firstOfInterest(iterations[last] ?? {}, [...place, [name, last]]) : undefined;
        return inner ?? keyOf(place, name);
      }
    }
  }
  return undefined;
}
