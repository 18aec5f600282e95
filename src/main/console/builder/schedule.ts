/** Times of a schedule, computed in the browser for the preview below its fields. */

interface Range {
  min: number;
  max: number;
}

const FIELDS: readonly Range[] = [
  { min: 0, max: 59 },
  { min: 0, max: 23 },
  { min: 1, max: 31 },
  { min: 1, max: 12 },
  { min: 0, max: 7 },
];
const DAY_MS = 86_400_000;
const DAYS_MAX = 4 * 366 + 1;

const whole = (value: unknown): number | undefined => (/^\d+$/.test(String(value ?? '')) ? Number(value) : undefined);
const hour = (input: Record<string, unknown>): number | undefined => {
  const given = whole(input['hour_of_the_day'] ?? 0);
  return given === undefined ? undefined : Math.min(given, 23);
};

/** Cron expression of a trigger of the schedule piece; undefined while a value is missing or depends on a reference. */
export function cronOf(trigger: string, input: Record<string, unknown>): string | undefined {
  const days = input['run_on_weekends'] === true ? '*' : '1-5';
  const at = hour(input);
  const fields = (() => {
    switch (trigger) {
      case 'every_x_minutes':
        return [whole(input['minutes']) === undefined ? undefined : `*/${whole(input['minutes'])}`, '*', '*', '*', '*'];
      case 'every_hour':
        return [0, '*', '*', '*', days];
      case 'every_day':
        return [0, at, '*', '*', days];
      case 'every_week':
        return [0, at, '*', '*', whole(input['day_of_the_week'])];
      case 'every_month':
        return [0, at, whole(input['day_of_the_month']), '*', '*'];
      case 'cron_expression':
        return String(input['cronExpression'] ?? '')
          .trim()
          .split(/\s+/);
      default:
        return [];
    }
  })();
  return fields.length === 5 && fields.every((field) => field !== undefined) ? fields.join(' ') : undefined;
}

function valuesOf(text: string, { min, max }: Range): Set<number> | undefined {
  const values = new Set<number>();
  for (const part of text.split(',')) {
    const form = /^(?:(\*)|(\d+)(?:-(\d+))?)(?:\/(\d+))?$/.exec(part);
    if (!form) {
      return undefined;
    }
    const from = form[1] ? min : Number(form[2]);
    const to = form[1] || (form[4] && !form[3]) ? max : Number(form[3] ?? form[2]);
    const step = Number(form[4] ?? 1);
    if (from < min || to > max || from > to || step < 1) {
      return undefined;
    }
    for (let value = from; value <= to; value += step) {
      values.add(value);
    }
  }
  return values;
}

/** First minute after the gap that a wall time lies in, as the server runs a skipped time. */
function afterGap(wall: number, offsetMs: (utcMs: number) => number): number {
  let before = wall - DAY_MS;
  let after = wall + DAY_MS;
  const offset = offsetMs(before);
  while (after - before > 60_000) {
    const middle = before + Math.floor((after - before) / 120_000) * 60_000;
    if (offsetMs(middle) === offset) {
      before = middle;
    } else {
      after = middle;
    }
  }
  return after;
}

/**
 * Next times of a cron expression; undefined for an expression that is not understood here.
 *
 * `offsetMs` is the difference of the time zone to UTC at a time.
 */
export function nextRuns(
  cron: string,
  now: number,
  offsetMs: (utcMs: number) => number,
  wanted: number,
): number[] | undefined {
  const texts = cron.split(' ');
  const sets = texts.map((text, index) => valuesOf(text, FIELDS[index]!));
  if (sets.some((set) => !set)) {
    return undefined;
  }
  const [minutes, hours, monthDays, months, weekDays] = sets as [
    Set<number>,
    Set<number>,
    Set<number>,
    Set<number>,
    Set<number>,
  ];
  const isEitherDay = texts[2] !== '*' && texts[4] !== '*';
  const found: number[] = [];
  const firstDay = Math.floor((now + offsetMs(now)) / DAY_MS) * DAY_MS;
  for (let index = 0; index < DAYS_MAX && found.length < wanted; index++) {
    const day = new Date(firstDay + index * DAY_MS);
    const isWeekDay = weekDays.has(day.getUTCDay()) || (day.getUTCDay() === 0 && weekDays.has(7));
    const isMonthDay = monthDays.has(day.getUTCDate());
    if (!months.has(day.getUTCMonth() + 1) || !(isEitherDay ? isWeekDay || isMonthDay : isWeekDay && isMonthDay)) {
      continue;
    }
    for (const atHour of [...hours].sort((one, other) => one - other)) {
      for (const minute of [...minutes].sort((one, other) => one - other)) {
        const wall = day.getTime() + (atHour * 60 + minute) * 60_000;
        const guess = wall - offsetMs(wall - offsetMs(wall));
        const time = guess + offsetMs(guess) === wall ? guess : afterGap(wall, offsetMs);
        if (time > now && found.length < wanted && found.at(-1) !== time) {
          found.push(time);
        }
      }
    }
  }
  return found;
}

/** Offset of a time zone; that of UTC for an unknown one. */
export function offsetIn(timeZone: string): (utcMs: number) => number {
  let format: Intl.DateTimeFormat;
  try {
    format = new Intl.DateTimeFormat('en-US', {
      timeZone,
      hourCycle: 'h23',
      year: 'numeric',
      month: 'numeric',
      day: 'numeric',
      hour: 'numeric',
      minute: 'numeric',
    });
  } catch {
    return () => 0;
  }
  return (utcMs) => {
    const minute = Math.floor(utcMs / 60_000) * 60_000;
    const part: Record<string, number> = {};
    format.formatToParts(minute).forEach(({ type, value }) => {
      part[type] = Number(value);
    });
    return Date.UTC(part['year']!, part['month']! - 1, part['day']!, part['hour']!, part['minute']!) - minute;
  };
}

export const ownTimeZone = (): string => Intl.DateTimeFormat().resolvedOptions().timeZone || 'UTC';
