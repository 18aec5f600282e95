import { useEffect, useRef, useState } from 'preact/hooks';
import { api } from '../base/api/client';
import type { Failure } from '../base/api/failure';
import { NO_RESULTS, withReport, type Results } from './model';

export interface TestRuns {
  results: Results;
  failure: Failure | undefined;
  isBusy: boolean;
  update: (change: (results: Results) => Results) => void;
  runAll: () => Promise<void>;
  runOne: (testId: string) => Promise<void>;
}

/** Runs tests of a flow on a version; a response for another version is ignored. */
export function useTestRuns(flowId: string, version: 'draft' | 'published'): TestRuns {
  const [results, update] = useState<Results>(NO_RESULTS);
  const [failure, refuse] = useState<Failure>();
  const [isBusy, setBusy] = useState(false);
  const about = `${flowId} ${version}`;
  const latest = useRef(about);
  latest.current = about;
  useEffect(() => {
    update(NO_RESULTS);
    refuse(undefined);
    setBusy(false);
  }, [about]);
  const run = async (testIds: string[]): Promise<void> => {
    setBusy(true);
    const report = await api('POST /v1/flows/{id}/tests/run', { path: { id: flowId }, body: { version, testIds } });
    if (latest.current !== about) {
      return;
    }
    setBusy(false);
    refuse(report.ok ? undefined : report.failure);
    if (report.ok) {
      update((now) => withReport(now, report.value, testIds.length === 0));
    }
  };
  return { results, failure, isBusy, update, runAll: () => run([]), runOne: (testId) => run([testId]) };
}
