import type { Answer, Wish } from '../base/api/client';
import type { IconName } from '../base/components/Icon';
import type { Tone } from '../base/components/States';
import { parseJson } from '../base/json';
import { t } from '../base/text';

export type FlowTest = Answer<'GET /v1/flows/{id}/tests'>['data'][number];
export type NewFlowTest = Wish<'POST /v1/flows/{id}/tests'>['body'];
export type Report = Answer<'POST /v1/flows/{id}/tests/run'>;
export type TestResult = Report['results'][number];
export type Coverage = Report['coverage'];
export type State = TestResult['state'] | 'notRun';

/** Results of the shown tests by id, and the coverage of the last run of all tests. */
export interface Results {
  byId: Readonly<Record<string, TestResult>>;
  coverage?: Coverage;
}

export const NO_RESULTS: Results = { byId: {} };

/** Results after another report; the coverage of a part of the tests is not that of the flow. */
export function withReport(results: Results, report: Report, isComplete: boolean): Results {
  const fresh = Object.fromEntries(report.results.map((result) => [result.testId, result]));
  return isComplete ? { byId: fresh, coverage: report.coverage } : { ...results, byId: { ...results.byId, ...fresh } };
}

/** Results after a test was changed or deleted: its result and the coverage are out of date. */
export const withoutResult = (results: Results, testId: string): Results => ({
  byId: Object.fromEntries(Object.entries(results.byId).filter(([id]) => id !== testId)),
});

export const stateOf = (results: Results, testId: string): State => results.byId[testId]?.state ?? 'notRun';

/** Numbers of tests by state; undefined if no shown test has a result. */
export function countsOf(tests: readonly FlowTest[], results: Results): Record<State, number> | undefined {
  const counts: Record<State, number> = { passed: 0, failed: 0, stale: 0, notRun: 0 };
  tests.forEach((each) => counts[stateOf(results, each.id)]++);
  return counts.notRun === tests.length ? undefined : counts;
}

export const looks: Record<State, { tone: Tone; icon: IconName }> = {
  passed: { tone: 'green', icon: 'circle-check' },
  failed: { tone: 'red', icon: 'circle-x' },
  stale: { tone: 'amber', icon: 'triangle-alert' },
  notRun: { tone: 'grey', icon: 'circle-dashed' },
};

export function jsonOf(given: FlowTest): string {
  const { id: _, ...rest } = given;
  return JSON.stringify(rest, null, 2);
}

/** Test case of a text, or the reason of the JSON parser; empty for JSON of another form. */
export function caseOf(text: string): { test: NewFlowTest } | { problem: string } {
  let value: unknown;
  try {
    value = parseJson(text);
  } catch (problem) {
    return { problem: problem instanceof Error ? problem.message : String(problem) };
  }
  const isCase =
    typeof value === 'object' && value !== null && !Array.isArray(value) && 'name' in value && 'trigger' in value;
  return isCase ? { test: value as NewFlowTest } : { problem: '' };
}

export const blank = (name: string): string =>
  JSON.stringify(
    { name, trigger: { body: {} }, fixtures: { steps: {}, http: [] }, expectations: { status: 'SUCCEEDED' } },
    null,
    2,
  );

/** Subject of a difference in words: `branches.step_2` becomes `Branches of 2. Is it large?`. */
export function subjectOf(path: string, title: (name: string) => string): string {
  const [, area = '', index, rest = ''] = /^(\w+)(?:\[(\d+)\])?\.?(.*)$/.exec(path) ?? [];
  const subject =
    area === 'branches'
      ? t('flowTests.subject.branches', { step: title(rest) })
      : area === 'calls' && index !== undefined
        ? t('flowTests.subject.call', { number: Number(index) + 1 })
        : area === 'calls' || area === 'answer' || area === 'status'
          ? t(`flowTests.subject.${area}`)
          : path;
  return rest === '' || area === 'branches' || subject === path ? subject : `${subject} › ${rest}`;
}

const shown = (value: unknown): string | undefined =>
  value === undefined ? undefined : typeof value === 'string' ? value : JSON.stringify(value, null, 2);

export const valueOf = (path: string, value: unknown, title: (name: string) => string): string | undefined =>
  /^calls\[\d+\]\.step$/.test(path) && typeof value === 'string' ? title(value) : shown(value);
