import type { Answer, Wish } from '../../base/api/client';
import { parseJson } from '../../base/json';
import { actionTitleFrom, titleFrom } from '../../builder/canvas/titles';
import { iterationsOf, keyOf, placeOf, recordAt, type Place, type StepRecord, type StepRecords } from '../steps';

export type EffectList = Extract<Answer<'POST /v1/flow-runs/{id}/replay'>, { dryRun: true }>;
export type Effect = EffectList['effects'][number];
export type ReplayBody = Wish<'POST /v1/flow-runs/{id}/replay'>['body'];

export const versions = ['original', 'published', 'draft'] as const;
export type Version = (typeof versions)[number];
export const choices = ['recorded', 'step', 'perform'] as const;
export type Choice = (typeof choices)[number];

/** Iterations are 1-based texts, as typed. */
export interface ReplayForm {
  version: Version;
  effects: Choice;
  iterations: Record<string, string>;
  /** JSON text of the input; undefined keeps the input. */
  input: string | undefined;
}

export type Problems = { input?: string; iterations: Record<string, number> };

export function formOf(key: string): ReplayForm {
  const { place } = placeOf(key);
  return {
    version: 'original',
    effects: 'recorded',
    iterations: Object.fromEntries(place.map(([loop, iteration]) => [loop, String(iteration + 1)])),
    input: undefined,
  };
}

export const isReplayable = (
  run: { status: string; stepNameToTest?: string | undefined },
  record: StepRecord | undefined,
): boolean =>
  record !== undefined && run.status !== 'QUEUED' && run.status !== 'RUNNING' && run.stepNameToTest === undefined;

/** Numbers of iterations of the loops around a step, outermost first, for the iterations of the form. */
export function loopsOf(steps: StepRecords, key: string, form: ReplayForm): Array<{ loop: string; count: number }> {
  const place: Array<Place[number]> = [];
  return placeOf(key).place.map(([loop, shown]) => {
    const count = iterationsOf(recordAt(steps, keyOf(place, loop))).length;
    place.push([loop, numberOf(form.iterations[loop] ?? '', count) ?? shown]);
    return { loop, count };
  });
}

/** 0-based iteration of a typed number; undefined unless it is one of the recorded iterations. */
function numberOf(text: string, count: number): number | undefined {
  const number = /^\d{1,8}$/.test(text.trim()) ? Number(text) : 0;
  return number >= 1 && number <= count ? number - 1 : undefined;
}

/** Request of a form, or its problems: the reason of the JSON parser, and the highest number of each wrong iteration. */
export function bodyOf(
  steps: StepRecords,
  key: string,
  form: ReplayForm,
): { body: ReplayBody } | { problems: Problems } {
  const problems: Problems = { iterations: {} };
  const iteration: Record<string, number> = {};
  for (const { loop, count } of loopsOf(steps, key, form)) {
    const index = numberOf(form.iterations[loop] ?? '', count);
    if (index === undefined) {
      problems.iterations[loop] = count;
    } else {
      iteration[loop] = index;
    }
  }
  let input: unknown;
  if (form.input !== undefined) {
    try {
      input = parseJson(form.input);
    } catch (problem) {
      problems.input = problem instanceof Error ? problem.message : String(problem);
    }
  }
  if (problems.input !== undefined || Object.keys(problems.iterations).length > 0) {
    return { problems };
  }
  const { name } = placeOf(key);
  return {
    body: {
      step: name,
      version: form.version,
      effects: form.effects === 'step' ? [name] : form.effects,
      ...(Object.keys(iteration).length > 0 ? { iteration } : {}),
      ...(form.input === undefined ? {} : { input }),
    },
  };
}

export const performed = (list: EffectList): number =>
  list.effects.filter((effect) => effect.answer === 'performed').length;

/** 1-based iterations of the loops around a call, outermost first: `Each order 2`. Those of its path are 0-based. */
export const iterationsOfCall = (effect: Effect, title: (name: string) => string): string =>
  [...effect.path.matchAll(/([^.[]+)\[(\d+)\]/g)]
    .map(([, loop = '', iteration]) => `${title(loop)} ${Number(iteration) + 1}`)
    .join(' › ');

export function targetOf(effect: Effect): string {
  const piece = effect.pieceName ? titleFrom(effect.pieceName) : '';
  const action = [piece, effect.actionName ? actionTitleFrom(effect.actionName) : ''].filter(Boolean).join(' · ');
  const request = [effect.method, effect.host].filter(Boolean).join(' ');
  return [action, request].filter(Boolean).join(', ');
}
