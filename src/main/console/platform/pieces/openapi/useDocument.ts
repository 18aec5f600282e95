import { useEffect, useRef, useState } from 'preact/hooks';
import { api } from '../../../base/api/client';
import type { Failure, Result } from '../../../base/api/failure';
import { isComplete, optionsOf, type Choices, type Report, type Source } from './document';

const PAUSE_MS = 400;

/** Sends a document with its options: as a form with a file, otherwise as JSON. */
export function send(source: Source, choices: Choices, dryRun: boolean, signal?: AbortSignal): Promise<Result<Report>> {
  const options: Record<string, unknown> = { ...optionsOf(choices), dryRun };
  if (source.kind !== 'file') {
    const body = { ...options, ...(source.kind === 'url' ? { url: source.url.trim() } : { document: source.text }) };
    return api('POST /v1/pieces/openapi', { body, signal });
  }
  const form = new FormData();
  Object.entries(options).forEach(([name, value]) =>
    form.append(name, typeof value === 'string' ? value : JSON.stringify(value)),
  );
  form.append('file', source.file);
  return api('POST /v1/pieces/openapi', { body: form, signal });
}

interface Reviewed {
  report: Report;
  failure: Failure | undefined;
  isStale: boolean;
}

/** Report for the present choices: the server compares again after a change, without installing. */
export function useReport(source: Source, first: Report, choices: Choices): Reviewed {
  const [report, setReport] = useState(first);
  const [failure, setFailure] = useState<Failure>();
  const [isStale, setIsStale] = useState(false);
  const isFirst = useRef(true);
  const key = JSON.stringify(optionsOf(choices));
  useEffect(() => {
    if (isFirst.current) {
      isFirst.current = false;
      return;
    }
    if (!isComplete(choices.pages) || choices.operations?.size === 0) {
      return;
    }
    const canceled = new AbortController();
    setIsStale(true);
    const timer = setTimeout(
      () =>
        void send(source, choices, true, canceled.signal).then((answer) => {
          if (canceled.signal.aborted) {
            return;
          }
          setIsStale(false);
          setFailure(answer.ok ? undefined : answer.failure);
          if (answer.ok) {
            setReport(answer.value);
          }
        }),
      PAUSE_MS,
    );
    return () => {
      clearTimeout(timer);
      canceled.abort();
    };
  }, [key]);
  return { report, failure, isStale };
}
