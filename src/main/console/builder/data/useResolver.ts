import { useEffect, useMemo } from 'preact/hooks';
import { useStore } from '../../base/store';
import { t } from '../../base/text';
import { useBuilder } from '../context';
import { useScope } from '../fields/scope';
import { stepsBefore, walk } from '../steps';
import { dataOffers, formulaOffers, type Offer } from './completions';
import { formulaProblems } from './formulaProblems';
import { withLoopItems } from './loopItems';
import { partsOf, resolve, type Resolution } from './references';
import { wordsOf } from './words';

export interface Resolver {
  of: (token: string) => Resolution;
  problemOf: (text: string) => string | undefined;
  /** Changes when a label or a problem may have changed. */
  key: string;
  offers: () => Offer[];
}

export function useResolver(): Resolver {
  const { builder, samples, names } = useBuilder();
  const { step } = useScope();
  const trigger = useStore(builder.store, (now) => now.version.trigger);
  const known = useStore(samples.store);
  const nameOf = useStore(names);
  const invalid = useStore(formulaProblems);
  const before = useMemo(() => stepsBefore(trigger, step.name), [trigger, step.name]);
  useEffect(() => void samples.load(before), [before]);
  return useMemo(() => {
    const all = new Set(walk(trigger).map((visited) => visited.step.name));
    const sampleOf = withLoopItems(before, (name) => {
      const sample = known.get(name);
      return sample?.state === 'some' ? { value: sample.value } : undefined;
    });
    const of = (token: string): Resolution =>
      resolve(
        token,
        before,
        all,
        sampleOf,
        (name) => nameOf.get(name),
        t('data.deleted'),
        (formula) => invalid.get(formula) ?? '',
      );
    return {
      of,
      offers: () => [...dataOffers(before, (each) => sampleOf(each.name)), ...formulaOffers],
      problemOf: (text) =>
        partsOf(text)
          .filter((part) => part.kind === 'token')
          .map((part) => of(part.text).problem)
          .filter((problem) => problem !== undefined)
          .map(wordsOf)[0],
      key: [
        ...before.map(
          (each) =>
            `${each.name} ${each.displayName} ${known.get(each.name)?.key ?? ''}${known.get(each.name)?.state ?? ''}`,
        ),
        ...[...invalid].filter(([, problem]) => problem !== '').map(([formula]) => formula),
      ].join('|'),
    };
  }, [before, known, nameOf, invalid]);
}
