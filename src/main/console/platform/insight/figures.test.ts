import { equal, part, test } from '../../base/testing';
import { busiest, niceMax, spansOf, sumsOf, type Report } from './figures';

const now = Date.parse('2026-03-08T15:00:00Z');
const runs = [
  { day: '2026-03-08', flowId: 'a', runs: 3, failedRuns: 1, durationMs: 300 },
  { day: '2026-03-08', flowId: 'b', runs: 1, failedRuns: 0, durationMs: 100 },
  { day: '2026-03-02', flowId: 'b', runs: 4, failedRuns: 4, durationMs: 400 },
  { day: '2026-02-01', flowId: 'b', runs: 9, failedRuns: 9, durationMs: 9 },
];

test('a week has seven days, including those without runs, and ends today', () => {
  const spans = spansOf(runs, 'last-week', now);
  equal(
    spans.map((span) => span.day),
    ['2026-03-02', '2026-03-03', '2026-03-04', '2026-03-05', '2026-03-06', '2026-03-07', '2026-03-08'],
  );
  equal(
    spans.map((span) => span.runs),
    [4, 0, 0, 0, 0, 0, 4],
  );
  equal(spans[6], { day: '2026-03-08', days: 1, runs: 4, failed: 1, meanMs: 100 });
  equal(spans[1]!.meanMs, undefined);
  equal(sumsOf(spans), { runs: 8, failed: 5, meanMs: 100 });
});

test('a year has bars of several days, and every run is counted', () => {
  const spans = spansOf(runs, 'last-year', now);
  equal([spans.length <= 60, spans.reduce((sum, span) => sum + span.runs, 0)], [true, 17]);
});

test('the busiest flows are first', () => {
  const flow = (flowId: string) => ({
    flowId,
    flowName: flowId,
    projectId: 'p',
    projectName: 'P',
    status: 'ENABLED' as const,
    timeSavedPerRun: null,
    ownerId: null,
  });
  const report = part<Report>({ runs, flows: [flow('a'), flow('b'), flow('c')] });
  equal(
    busiest(report, 5).map((each) => [each.flowId, each.runs, each.failed]),
    [
      ['b', 14, 13],
      ['a', 3, 1],
    ],
  );
  equal(busiest(report, 1).length, 1);
});

test('an axis ends at a round number', () => {
  equal([0, 1, 3, 7, 42, 120, 999].map(niceMax), [1, 1, 5, 10, 50, 200, 1000]);
});
