import { useEffect, useState } from 'preact/hooks';
import type { InputPreview } from '#api';
import { api } from '../../base/api/client';
import { useMay } from '../../base/permissions';
import { useStore } from '../../base/store';
import { useBuilder } from '../context';
import { useScope } from '../fields/scope';
import { stepsBefore, type Step } from '../steps';
import { innerOf, isFormula } from './formulas';
import { withLoopItems } from './loopItems';
import { partsOf, referenceOf } from './references';

/** Value of an input for the available samples, or the reason why there is none; `unknown` if the server did not answer. */
export type Preview =
  | { state: 'value'; value: unknown }
  | { state: 'problem'; problem: string }
  | { state: 'tooLong' }
  | { state: 'missing'; step: string }
  | { state: 'unknown' };

const PAUSE_MS = 200;
/** Limit in characters of JSON for the samples of one request. */
const SAMPLES_LENGTH_MAX = 400_000;

const tokensOf = (text: string): string[] =>
  partsOf(text)
    .filter((part) => part.kind === 'token')
    .flatMap(({ text: token }) => (isFormula(token) ? [token, ...tokensOf(innerOf(token))] : [token]));

/** Preview of the current text, or while that is computed, of the text before. */
export type ShownPreview = Preview & { isCurrent: boolean };

/**
 * Preview of a text with references or formulas, computed by the server after a pause in typing.
 *
 * @param input input that the text stands for, if it is not the text itself
 */
export function usePreview(text: string, isWanted: boolean, input: unknown = text): ShownPreview | undefined {
  const { builder, samples, projectId } = useBuilder();
  const { step } = useScope();
  const trigger = useStore(builder.store, (now) => now.version.trigger);
  const known = useStore(samples.store);
  const [shown, setShown] = useState<{ text: string; preview: Preview }>();
  const mayWrite = useMay('WRITE_FLOW');
  const tokens = isWanted && mayWrite ? tokensOf(text) : [];
  useEffect(() => {
    if (tokens.length === 0) {
      return undefined;
    }
    const before = stepsBefore(trigger, step.name);
    const sampleOf = withLoopItems(before, (name) => {
      const sample = known.get(name);
      return sample?.state === 'some' ? { value: sample.value } : undefined;
    });
    const roots = new Set(tokens.map((token) => referenceOf(token)?.root ?? ''));
    const used = before.filter(
      (each) => roots.has(each.name) || tokens.some((token) => !referenceOf(token) && token.includes(each.name)),
    );
    const missing = used.find((each) => sampleOf(each.name) === undefined);
    const given = missing
      ? {}
      : Object.fromEntries(used.map((each) => [each.name, sampleOf(each.name)?.value ?? null]));
    if (JSON.stringify(given).length > SAMPLES_LENGTH_MAX) {
      setShown({ text, preview: { state: 'tooLong' } });
      return undefined;
    }
    const stop = new AbortController();
    const timer = setTimeout(async () => {
      const answer = await api('POST /v1/sample-data/preview', {
        body: { projectId, value: input, samples: given },
        signal: stop.signal,
      });
      if (!stop.signal.aborted) {
        setShown({ text, preview: answer.ok ? previewOf(answer.value, missing) : { state: 'unknown' } });
      }
    }, PAUSE_MS);
    return () => {
      clearTimeout(timer);
      stop.abort();
    };
  }, [text, isWanted, known, trigger]);
  return tokens.length > 0 && shown ? { ...shown.preview, isCurrent: shown.text === text } : undefined;
}

/** @param missing step without a sample: the value is not known then, but the syntax is */
function previewOf({ value, problem, tooLong, invalid }: InputPreview, missing: Step | undefined): Preview {
  if (missing) {
    const first = invalid?.[0];
    return first ? { state: 'problem', problem: first.problem } : { state: 'missing', step: missing.displayName };
  }
  return problem !== undefined
    ? { state: 'problem', problem }
    : tooLong
      ? { state: 'tooLong' }
      : { state: 'value', value };
}
