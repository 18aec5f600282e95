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

/** A response for another version is ignored. */
export function useTestRuns(flowId: string, version: 'draft' | 'published'): TestRuns {
  const [results, setResults] = useState<Results>(NO_RESULTS);
  const [failure, setFailure] = useState<Failure>();
  const [isBusy, setIsBusy] = useState(false);
  const about = `${flowId} ${version}`;
  const latest = useRef(about);
  latest.current = about;
  useEffect(() => {
    setResults(NO_RESULTS);
    setFailure(undefined);
    setIsBusy(false);
  }, [about]);
  const run = async (testIds: string[]): Promise<void> => {
    setIsBusy(true);
    const report = await api('POST /v1/flows/{id}/tests/run', { path: { id: flowId }, body: { version, testIds } });
    if (latest.current !== about) {
      return;
    }
    setIsBusy(false);
    setFailure(report.ok ? undefined : report.failure);
    if (report.ok) {
      setResults((now) => withReport(now, report.value, testIds.length === 0));
    }
  };
  return { results, failure, isBusy, update: setResults, runAll: () => run([]), runOne: (testId) => run([testId]) };
}
