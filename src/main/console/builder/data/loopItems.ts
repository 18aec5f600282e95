import type { Step } from '../steps';
import { partsOf, resolve } from './references';

type SampleOf = (name: string) => { value: unknown } | undefined;

/**
 * Samples of steps, with an item for each loop that was not tested: the first item of its list, where the list is a reference to
 * a known sample. A tested loop keeps the sample of its test.
 */
export function withLoopItems(before: readonly Step[], sampleOf: SampleOf): SampleOf {
  return (name) => {
    const known = sampleOf(name);
    const at = before.findIndex((each) => each.name === name);
    const loop = before[at];
    if (loop?.type !== 'LOOP_ON_ITEMS' || (known !== undefined && !isNothing(known.value))) {
      return known;
    }
    const items = listOf(loop.settings.items ?? '', before.slice(0, at), sampleOf);
    return items === undefined ? known : { value: { ...(items.length > 0 ? { item: items[0] } : {}), index: 1 } };
  };
}

const isNothing = (value: unknown): boolean =>
  value === null || value === undefined || (typeof value === 'object' && Object.keys(value).length === 0);

function listOf(text: string, before: readonly Step[], sampleOf: SampleOf): unknown[] | undefined {
  const [only, ...others] = partsOf(text.trim());
  if (only?.kind !== 'token' || others.length > 0) {
    return undefined;
  }
  const { value } = resolve(
    only.text,
    before,
    new Set(before.map((each) => each.name)),
    withLoopItems(before, sampleOf),
  );
  return Array.isArray(value) ? value : undefined;
}
