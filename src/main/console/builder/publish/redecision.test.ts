import { equal, test } from '../../base/testing';
import { after, differing, headlineOf, restOf, valueOf, type Comparison, type Group } from './redecision';

const counts = (runs: number, same: number, otherBranch: number) => ({
  runs,
  same,
  otherBranch,
  otherAnswer: 0,
  unknown: 0,
});

test('the headline counts other branches first', () => {
  equal(headlineOf(counts(0, 0, 0)), 'noRuns');
  equal(headlineOf(counts(10, 9, 1)), 'branch');
  equal(headlineOf(counts(10, 10, 0)), 'allSame');
  equal(headlineOf(counts(10, 9, 0)), 'noBranch');
});

test('the rest of the runs adds up', () => {
  const groups: Group[] = [
    { kind: 'SAME', count: 4 },
    { kind: 'OTHER_BRANCH', count: 3 },
    { kind: 'OTHER_INPUT', count: 2 },
    { kind: 'OTHER_ANSWER', count: 1 },
    { kind: 'UNKNOWN', count: 5 },
    { kind: 'NOT_RECOMPUTABLE', count: 6 },
  ];
  equal(restOf({ runs: 21, same: 4, otherBranch: 3, otherAnswer: 1, unknown: 5, groups }), {
    same: 4,
    answer: 1,
    other: 2,
    unknown: 11,
  });
});

test('events of the stream lead to a result or a failure, and others are ignored', () => {
  const running: Comparison = { state: 'running' };
  equal(after(running, { name: 'progress', data: JSON.stringify(counts(5, 5, 0)) }), {
    state: 'running',
    counts: counts(5, 5, 0),
  });
  equal(after(running, { name: 'ping', data: '' }), running);
  const result = { ...counts(5, 5, 0), groups: [] };
  const done = after(running, { name: 'result', data: JSON.stringify(result) });
  equal(done, { state: 'done', result });
  equal(after(done, { name: 'progress', data: JSON.stringify(counts(1, 1, 0)) }), done);
  equal(after(running, { name: 'error', data: '{"message":"gone"}' }), { state: 'failed', message: 'gone' });
});

test('branches come first, then other differences by size, then unknown runs', () => {
  const group = (kind: Group['kind'], count: number): Group => ({ kind, count });
  equal(
    differing([
      group('SAME', 9),
      group('UNKNOWN', 8),
      group('OTHER_ANSWER', 2),
      group('NOT_RECOMPUTABLE', 99),
      group('OTHER_INPUT', 5),
      group('OTHER_BRANCH', 1),
    ]).map((each) => each.kind),
    ['OTHER_BRANCH', 'OTHER_INPUT', 'OTHER_ANSWER', 'UNKNOWN', 'NOT_RECOMPUTABLE'],
  );
});

test('values of examples are texts', () => {
  equal(
    [valueOf(['Large', 'Vip']), valueOf('x'), valueOf([]), valueOf(undefined), valueOf([1])],
    ['Large, Vip', 'x', '', '', '[\n  1\n]'],
  );
});
