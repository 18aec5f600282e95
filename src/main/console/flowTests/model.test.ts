import { equal, test } from '../base/testing';
import {
  blank,
  caseOf,
  countsOf,
  jsonOf,
  NO_RESULTS,
  stateOf,
  subjectOf,
  valueOf,
  withoutResult,
  withReport,
  type FlowTest,
  type Report,
  type State,
} from './model';

const flowTest = (id: string): FlowTest => ({ id, name: id, trigger: {}, fixtures: {}, expectations: {} });
const report = (states: Record<string, Exclude<State, 'notRun'>>, reached: number): Report => ({
  flowId: 'f',
  flowVersionId: 'v',
  passed: 0,
  failed: 0,
  stale: 0,
  coverage: { reached, all: 2, branches: [] },
  results: Object.entries(states).map(([testId, state]) => ({
    testId,
    name: testId,
    state,
    differencesCount: 0,
    differences: [],
    stale: null,
  })),
});

test('a test without a result has not been run', () => {
  equal(stateOf(NO_RESULTS, 'a'), 'notRun');
  equal(countsOf([flowTest('a')], NO_RESULTS), undefined);
});

test('a run of all tests replaces results and coverage, a run of one keeps the others and the coverage', () => {
  const all = withReport(NO_RESULTS, report({ a: 'passed', b: 'failed' }, 2), true);
  const one = withReport(all, report({ b: 'stale' }, 0), false);
  equal([stateOf(one, 'a'), stateOf(one, 'b')], ['passed', 'stale']);
  equal(one.coverage?.reached, 2);
  equal(countsOf([flowTest('a'), flowTest('b'), flowTest('c')], one), { passed: 1, failed: 0, stale: 1, notRun: 1 });
  equal(stateOf(withReport(one, report({ a: 'failed' }, 1), true), 'b'), 'notRun');
});

test('a changed test has no result, and the coverage is unknown', () => {
  const all = withReport(NO_RESULTS, report({ a: 'passed', b: 'failed' }, 2), true);
  const changed = withoutResult(all, 'a');
  equal([stateOf(changed, 'a'), stateOf(changed, 'b')], ['notRun', 'failed']);
  equal(changed.coverage, undefined);
});

test('a case is edited as JSON without its id', () => {
  equal(caseOf(jsonOf(flowTest('a'))), { test: { name: 'a', trigger: {}, fixtures: {}, expectations: {} } });
  equal('test' in caseOf(blank('New')), true);
  for (const wrong of ['[]', 'null', '1', '{}', '{"name":"a"}', '{"trigger":{}}']) {
    equal(caseOf(wrong), { problem: '' });
  }
  const broken = caseOf('{"name":');
  equal('problem' in broken && broken.problem !== '', true);
});

test('values of a difference are texts, and an absent one has none', () => {
  const title = (name: string): string => (name === 'size' ? '1. Size' : name);
  equal(
    ['Large', 1, null, undefined].map((value) => valueOf('answer.body', value, title)),
    ['Large', '1', 'null', undefined],
  );
  equal(valueOf('calls[0].step', 'size', title), '1. Size');
  equal(
    ['branches.size', 'calls[1].input.url', 'calls', 'answer.body.a', 'status'].map((path) => subjectOf(path, title)),
    ['Branches of 1. Size', 'Call 2 › input.url', 'Calls', 'Response › body.a', 'Status'],
  );
});
