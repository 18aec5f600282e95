import { equal, test } from '../base/testing';
import { cronOf, nextRuns } from './schedule';

const utc = (): number => 0;
const at = (text: string): number => Date.parse(text);
const shown = (times: number[] | undefined): string[] =>
  (times ?? []).map((time) => new Date(time).toISOString().slice(0, 16));

test('the triggers of the schedule piece have the expressions of the server', () => {
  equal(cronOf('every_x_minutes', { minutes: 15 }), '*/15 * * * *');
  equal(cronOf('every_hour', { run_on_weekends: false }), '0 * * * 1-5');
  equal(cronOf('every_day', { hour_of_the_day: 24, run_on_weekends: true }), '0 23 * * *');
  equal(cronOf('every_week', { hour_of_the_day: 8, day_of_the_week: 1 }), '0 8 * * 1');
  equal(cronOf('every_month', { hour_of_the_day: 8, day_of_the_month: 31 }), '0 8 31 * *');
  equal(cronOf('every_week', { hour_of_the_day: 8 }), undefined);
  equal(cronOf('every_day', { hour_of_the_day: '{{x}}' }), undefined);
});

test('the next five times are computed, over weekends and short months', () => {
  equal(shown(nextRuns('0 9 * * 1-5', at('2026-11-27T10:00Z'), utc, 2)), ['2026-11-30T09:00', '2026-12-01T09:00']);
  equal(shown(nextRuns('0 8 31 * *', at('2026-03-31T09:00Z'), utc, 3)), [
    '2026-05-31T08:00',
    '2026-07-31T08:00',
    '2026-08-31T08:00',
  ]);
  equal(nextRuns('0/5 * * * *', at('2026-03-31T09:01Z'), utc, 5)!.length, 5);
  equal(shown(nextRuns('0 0 29 2 *', at('2026-03-01T00:00Z'), utc, 1)), ['2028-02-29T00:00']);
});

test('day of the month and day of the week are alternatives, and 7 is Sunday', () => {
  equal(shown(nextRuns('0 0 1 * 7', at('2026-11-28T00:00Z'), utc, 2)), ['2026-11-29T00:00', '2026-12-01T00:00']);
});

test('times follow the offset of the zone, and a time that the clock skips is directly after the gap', () => {
  const change = at('2026-03-29T01:00Z');
  const berlin = (time: number): number => (time < change ? 3_600_000 : 7_200_000);
  equal(shown(nextRuns('30 2 * * *', at('2026-03-28T00:00Z'), berlin, 3)), [
    '2026-03-28T01:30',
    '2026-03-29T01:00',
    '2026-03-30T00:30',
  ]);
});

test('an expression that is not understood has no times', () => {
  for (const cron of ['a * * * *', '61 * * * *', '*/0 * * * *', '5-1 * * * *', '* * * * MON']) {
    equal(nextRuns(cron, 0, utc, 5), undefined);
  }
});
