import {
  iterationsOf,
  keyOf,
  loopStanding,
  standingOf,
  type Place,
  type Standing,
  type StepRecord,
  type StepRecords,
} from './steps';

export interface Bar {
  key: string;
  name: string;
  record: StepRecord;
  standing: Standing;
  /** Number of enclosing loops. */
  depth: number;
  startMs: number;
  lengthMs: number;
  /** Only of loops: number of iterations, and the shown one (0-based; -1 if collapsed). */
  loop?: { count: number; shown: number };
}

export interface Timeline {
  bars: Bar[];
  totalMs: number;
  /** Time of the run without a running step: it was paused or queued. */
  idleMs: number;
}

/** Smallest share of the axis for a step that waits: its bar runs to the end of the axis. */
const WAITING_SHARE = 0.15;

/** Shown iteration of each loop by key; absent loops are collapsed. */
export type Unfolded = ReadonlyMap<string, number>;

/** Duration of a record. That of a running step counts from the time at which this view first showed it. */
export function lengthOf(record: StepRecord, liveMs: (record: StepRecord) => number): number {
  const own = record.status === 'RUNNING' ? Math.max(record.duration ?? 0, liveMs(record)) : (record.duration ?? 0);
  const iterations = iterationsOf(record);
  return iterations.length === 0
    ? own
    : Math.max(
        own,
        sum(iterations, (records) => lengthOfAll(records, liveMs)),
      );
}

const lengthOfAll = (records: StepRecords, liveMs: (record: StepRecord) => number): number =>
  sum(Object.values(records), (record) => lengthOf(record, liveMs));

function sum<T>(all: readonly T[], of: (each: T) => number): number {
  let total = 0;
  for (const each of all) {
    total += of(each);
  }
  return total;
}

/**
 * Timeline of a run. Records come in execution order with their durations, so a step starts at the end of the previous
 * one. Only the shown iteration of a loop has lines, which bounds their number.
 */
export function timelineOf(
  steps: StepRecords,
  unfolded: Unfolded,
  elapsedMs: number,
  liveMs: (record: StepRecord) => number = () => 0,
): Timeline {
  const bars: Bar[] = [];
  const busyMs = walk(steps, [], 0);
  const waiting = bars.find((bar) => bar.record.status === 'PAUSED' && bar.depth === 0);
  const totalMs = Math.max(busyMs, 1, waiting ? waiting.startMs / (1 - WAITING_SHARE) : 0);
  if (waiting) {
    waiting.lengthMs = totalMs - waiting.startMs;
  }
  // The start time of a retried run is that of the retry; its steps may have taken longer.
  return { bars, totalMs, idleMs: Math.max(0, elapsedMs - busyMs) };

  function walk(records: StepRecords, place: Place, from: number): number {
    let at = from;
    for (const [name, record] of Object.entries(records)) {
      const key = keyOf(place, name);
      const ownMs = lengthOf(record, liveMs);
      // A view opened later has not seen the start of the running step: it runs since the end of the previous one.
      const lengthMs = record.status === 'RUNNING' && place.length === 0 ? Math.max(ownMs, elapsedMs - at) : ownMs;
      const iterations = iterationsOf(record);
      const chosen = unfolded.get(key);
      const shown = chosen === undefined || iterations.length === 0 ? -1 : Math.min(chosen, iterations.length - 1);
      bars.push({
        key,
        name,
        record,
        depth: place.length,
        startMs: at,
        lengthMs,
        standing: loopStanding(record),
        ...(record.type === 'LOOP_ON_ITEMS' ? { loop: { count: iterations.length, shown } } : {}),
      });
      if (shown >= 0) {
        const before = sum(iterations.slice(0, shown), (each) => lengthOfAll(each, liveMs));
        walk(iterations[shown] ?? {}, [...place, [name, shown]], at + before);
      }
      at += lengthMs;
    }
    return at;
  }
}

/** Round times for the axis: at most `atMost`, beginning with 0. */
export function ticksOf(totalMs: number, atMost: number): number[] {
  const rough = totalMs / Math.max(1, atMost);
  const power = 10 ** Math.floor(Math.log10(Math.max(rough, 0.001)));
  const step = [1, 2, 5, 10].map((factor) => factor * power).find((size) => size >= rough) ?? rough;
  const ticks: number[] = [];
  for (let tick = 0; tick <= totalMs && ticks.length <= atMost; tick += step) {
    ticks.push(tick);
  }
  return ticks;
}

export interface Part {
  first: number;
  last: number;
  standing: Standing;
}

const order: readonly Standing[] = ['SUCCEEDED', 'STOPPED', 'PAUSED', 'RUNNING', 'FAILED'];

export function partsOf(iterations: readonly StepRecords[], atMost: number): Part[] {
  const size = Math.max(1, Math.ceil(iterations.length / atMost));
  const parts: Part[] = [];
  for (let first = 0; first < iterations.length; first += size) {
    const last = Math.min(first + size, iterations.length) - 1;
    const worst = Math.max(...iterations.slice(first, last + 1).map((records) => order.indexOf(standingOf(records))));
    parts.push({ first, last, standing: order[worst] ?? 'SUCCEEDED' });
  }
  return parts;
}

/** Next iteration with a failed step, wrapping around after the last; -1 if there is none. */
export function nextFailed(iterations: readonly StepRecords[], after: number): number {
  for (let step = 1; step <= iterations.length; step++) {
    const at = (after + step) % iterations.length;
    if (standingOf(iterations[at] ?? {}) === 'FAILED') {
      return at;
    }
  }
  return -1;
}

export function windowOf(
  count: number,
  rowHeight: number,
  top: number,
  height: number,
  spare = 8,
): { first: number; last: number } {
  return {
    first: Math.max(0, Math.floor(top / rowHeight) - spare),
    last: Math.min(count, Math.ceil((top + height) / rowHeight) + spare),
  };
}
