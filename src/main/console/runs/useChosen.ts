import { useState } from 'preact/hooks';
import { narrow, usePlace } from '../base/router';
import {
  firstOfInterest,
  iterationsOf,
  keyOf,
  placeOf,
  recordAt,
  recordsAt,
  type Place,
  type StepRecords,
} from './steps';

export interface Chosen {
  key: string | undefined;
  unfolded: ReadonlyMap<string, number>;
  select: (key: string) => void;
  /** Shows another iteration of a loop, at the same step if that was executed. */
  iterate: (loopKey: string, iteration: number) => void;
  fold: (loopKey: string) => void;
  /** Key of a step in the shown iterations; the last iteration by default. */
  keyOfStep: (name: string, loops: readonly string[]) => string;
}

/** The step is part of the address; the default is the first failed, running or paused one. */
export function useChosen(steps: StepRecords): Chosen {
  const { query } = usePlace();
  const [own, setOwn] = useState<ReadonlyMap<string, number>>(new Map());
  const asked = query.get('step') ?? undefined;
  const key = asked !== undefined && recordAt(steps, asked) ? asked : (firstOfInterest(steps) ?? Object.keys(steps)[0]);
  const unfolded = new Map(own);
  const { place } = placeOf(key ?? '');
  place.forEach(([loop, iteration], depth) => unfolded.set(keyOf(place.slice(0, depth), loop), iteration));
  const select = (chosen: string): void => {
    setOwn(unfolded);
    narrow({ step: chosen });
  };
  return {
    key,
    unfolded,
    select,
    iterate: (loopKey, iteration) => {
      setOwn(new Map(unfolded).set(loopKey, iteration));
      if (key?.startsWith(`${loopKey}[`)) {
        const depth = loopKey.split('.').length - 1;
        const moved = place.map((level, at): readonly [string, number] =>
          at === depth ? [level[0], iteration] : level,
        );
        const same = keyOf(moved, placeOf(key).name);
        narrow({ step: recordAt(steps, same) ? same : (firstIn(steps, moved.slice(0, depth + 1)) ?? loopKey) });
      }
    },
    fold: (loopKey) => {
      const next = new Map(unfolded);
      [...next.keys()]
        .filter((each) => each === loopKey || each.startsWith(`${loopKey}[`))
        .forEach((each) => next.delete(each));
      setOwn(next);
      if (key?.startsWith(`${loopKey}[`)) {
        narrow({ step: loopKey });
      }
    },
    keyOfStep: (name, loops) => {
      const around: Array<readonly [string, number]> = [];
      for (const loop of loops) {
        const count = iterationsOf(recordsAt(steps, around)[loop]).length;
        const shown = unfolded.get(keyOf(around, loop)) ?? count - 1;
        around.push([loop, Math.max(0, Math.min(shown, count - 1))]);
      }
      return keyOf(around, name);
    },
  };
}

const firstIn = (steps: StepRecords, place: Place): string | undefined => {
  const name = Object.keys(recordsAt(steps, place))[0];
  return name === undefined ? undefined : keyOf(place, name);
};
