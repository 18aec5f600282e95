import { found } from '../../base/search';
import type { Step } from '../steps';
import { formulas, type Formula } from './formulas';
import { tokenOf } from './references';

export type Offer =
  | { kind: 'data'; label: string; about: string; token: string }
  | { kind: 'formula'; label: string; about: string; formula: Formula };

const DEPTH_MAX = 4;
const LEAVES_MAX = 200;
const SHOWN_MAX = 8;

type SampleOf = (step: Step) => { value: unknown } | undefined;

/** Values in the samples of earlier steps, nearest step first. */
export function dataOffers(before: readonly Step[], sampleOf: SampleOf): Offer[] {
  return [...before]
    .reverse()
    .flatMap((step) =>
      leaves(sampleOf(step)?.value, []).map(
        ({ path, value }): Offer => ({
          kind: 'data',
          label: [step.displayName, ...path].join(' › '),
          about: brief(value),
          token: tokenOf(step.name, path),
        }),
      ),
    );
}

function leaves(value: unknown, path: Array<string | number>): Array<{ path: Array<string | number>; value: unknown }> {
  const own = { path, value };
  if (value === null || typeof value !== 'object' || path.length >= DEPTH_MAX) {
    return [own];
  }
  const entries = Object.entries(value).slice(0, LEAVES_MAX);
  return [
    own,
    ...entries.flatMap(([key, part]) => leaves(part, [...path, Array.isArray(value) ? Number(key) : key])),
  ].slice(0, LEAVES_MAX);
}

const brief = (value: unknown): string => {
  const text = typeof value === 'string' ? value : (JSON.stringify(value) ?? '');
  return text.length > 40 ? `${text.slice(0, 40)}…` : text;
};

export const formulaOffers: readonly Offer[] = formulas.map((formula) => ({
  kind: 'formula',
  label: `${formula.name}(${formula.parameters})`,
  about: formula.kind,
  formula,
}));

export function fitting(offers: readonly Offer[], typed: string): Offer[] {
  return (typed === '' ? [...offers] : found(offers, typed, (offer) => offer.label)).slice(0, SHOWN_MAX);
}

/** Query after an open `{{` before the caret. */
export function askedFor(before: string): string | undefined {
  return /\{\{([^{}]{0,60})$/.exec(before)?.[1]?.trim();
}

export const wordBefore = (before: string): string => /[A-Za-z_]\w*$/.exec(before)?.[0] ?? '';

export function taken(text: string, caret: number, offer: Offer): { text: string; caret: number } {
  const start = caret - wordBefore(text.slice(0, caret)).length;
  const put =
    offer.kind === 'data' ? offer.token : `${offer.formula.name}(${offer.formula.parameters === '' ? ')' : ''}`;
  return { text: text.slice(0, start) + put + text.slice(caret), caret: start + put.length };
}
