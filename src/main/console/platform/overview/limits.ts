import type { TextKey } from '../../base/text';

type Flags = Record<string, unknown>;

const number = (flags: Flags, name: string): number | undefined =>
  typeof flags[name] === 'number' ? flags[name] : undefined;

/** Limits with their flags and the units that the server uses. */
const SHOWN: ReadonlyArray<readonly [TextKey, string, string]> = [
  ['limits.flow', 'FLOW_RUN_TIME_SECONDS', 's'],
  ['limits.trigger', 'TRIGGER_TIMEOUT_SECONDS', 's'],
  ['limits.webhook', 'WEBHOOK_TIMEOUT_SECONDS', 's'],
  ['limits.memory', 'FLOW_RUN_MEMORY_LIMIT_KB', 'KB'],
  ['limits.log', 'FLOW_RUN_LOG_SIZE_LIMIT_MB', 'MB'],
  ['limits.file', 'MAX_FILE_SIZE_MB', 'MB'],
  ['limits.paused', 'PAUSED_FLOW_TIMEOUT_DAYS', 'd'],
  ['limits.retention', 'EXECUTION_DATA_RETENTION_DAYS', 'd'],
  ['limits.jobs', 'DEFAULT_CONCURRENT_JOBS_LIMIT', ''],
  ['limits.records', 'MAX_RECORDS_PER_TABLE', ''],
  ['limits.fields', 'MAX_FIELDS_PER_TABLE', ''],
];

/** Flags that the server does not send are skipped. */
export function limitsOf(flags: Flags): Array<readonly [TextKey, string]> {
  const told: Array<readonly [TextKey, string]> = [];
  for (const [key, flag] of [
    ['limits.version', 'CURRENT_VERSION'],
    ['limits.url', 'PUBLIC_URL'],
    ['limits.webhooks', 'WEBHOOK_URL_PREFIX'],
  ] as const) {
    if (typeof flags[flag] === 'string') {
      told.push([key, flags[flag]]);
    }
  }
  for (const [key, flag, unit] of SHOWN) {
    const value = number(flags, flag);
    if (value !== undefined) {
      told.push([key, withUnit(value, unit)]);
    }
  }
  return told;
}

function withUnit(value: number, unit: string): string {
  switch (unit) {
    case 'KB':
      return bytes(value * 1024);
    case 'MB':
      return bytes(value * 1024 * 1024);
    case 'd':
      return `${value} ${value === 1 ? 'day' : 'days'}`;
    case 's':
      return value % 60 === 0 && value >= 120 ? `${value / 60} min` : `${value} s`;
    default:
      return String(value);
  }
}

/** Size in the largest unit with at least one before the point. */
export function bytes(size: number): string {
  const units = ['B', 'KB', 'MB', 'GB', 'TB'];
  let at = 0;
  let left = size;
  while (left >= 1024 && at < units.length - 1) {
    left /= 1024;
    at++;
  }
  return `${left >= 10 || at === 0 || Number.isInteger(left) ? Math.round(left) : left.toFixed(1)} ${units[at]}`;
}

export const share = (part: number | undefined, whole: number | undefined): number | undefined =>
  part === undefined || !whole ? undefined : Math.min(100, (part / whole) * 100);
