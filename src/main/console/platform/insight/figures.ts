import type { Answer } from '../../base/api/client';

export type Report = Answer<'GET /v1/analytics'>;
type Runs = Report['runs'][number];

export const PERIODS = ['last-week', 'last-month', 'last-three-months', 'last-six-months', 'last-year'] as const;
export type Period = (typeof PERIODS)[number];

const DAYS: Record<Period, number> = {
  'last-week': 7,
  'last-month': 30,
  'last-three-months': 91,
  'last-six-months': 182,
  'last-year': 365,
};
const DAY_MS = 86_400_000;
/** Longer periods combine several days in one bar. */
const BARS_MAX = 60;

export interface Span {
  /** First day. */
  day: string;
  days: number;
  runs: number;
  failed: number;
  /** Mean duration of a run; undefined without runs. */
  meanMs: number | undefined;
}

const dayOf = (time: number): string => new Date(time).toISOString().slice(0, 10);

/** Days without runs are included. */
export function spansOf(runs: readonly Runs[], period: Period, now: number): Span[] {
  const days = DAYS[period];
  const width = Math.ceil(days / BARS_MAX);
  const count = Math.ceil(days / width);
  const first = Math.floor(now / DAY_MS) - count * width + 1;
  const spans = Array.from({ length: count }, (_, at): Span & { ms: number } => ({
    day: dayOf((first + at * width) * DAY_MS),
    days: width,
    runs: 0,
    failed: 0,
    meanMs: undefined,
    ms: 0,
  }));
  for (const run of runs) {
    const span = spans[Math.floor((Date.parse(run.day) / DAY_MS - first) / width)];
    if (span) {
      span.runs += run.runs;
      span.failed += run.failedRuns;
      span.ms += run.durationMs;
    }
  }
  return spans.map(({ ms, ...span }) => ({ ...span, meanMs: span.runs === 0 ? undefined : ms / span.runs }));
}

export interface Busy {
  flowId: string;
  flowName: string;
  projectId: string;
  projectName: string;
  runs: number;
  failed: number;
  meanMs: number;
}

export function busiest(report: Report, most: number): Busy[] {
  const sums = new Map<string, { runs: number; failed: number; ms: number }>();
  for (const run of report.runs) {
    const sum = sums.get(run.flowId) ?? { runs: 0, failed: 0, ms: 0 };
    sums.set(run.flowId, {
      runs: sum.runs + run.runs,
      failed: sum.failed + run.failedRuns,
      ms: sum.ms + run.durationMs,
    });
  }
  return report.flows
    .flatMap((flow) => {
      const sum = sums.get(flow.flowId);
      return sum
        ? [
            {
              flowId: flow.flowId,
              flowName: flow.flowName,
              projectId: flow.projectId,
              projectName: flow.projectName,
              runs: sum.runs,
              failed: sum.failed,
              meanMs: sum.ms / sum.runs,
            },
          ]
        : [];
    })
    .sort((left, right) => right.runs - left.runs || left.flowName.localeCompare(right.flowName))
    .slice(0, most);
}

export function sumsOf(spans: readonly Span[]): { runs: number; failed: number; meanMs: number | undefined } {
  const runs = spans.reduce((sum, span) => sum + span.runs, 0);
  const ms = spans.reduce((sum, span) => sum + (span.meanMs ?? 0) * span.runs, 0);
  return {
    runs,
    failed: spans.reduce((sum, span) => sum + span.failed, 0),
    meanMs: runs === 0 ? undefined : ms / runs,
  };
}

/** Upper end of an axis: the next 1, 2 or 5 times a power of ten. */
export function niceMax(most: number): number {
  if (most <= 0) {
    return 1;
  }
  const power = 10 ** Math.floor(Math.log10(most));
  return [1, 2, 5, 10].map((step) => step * power).find((end) => end >= most) ?? most;
}
