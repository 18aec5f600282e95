import type { Answer } from '../../base/api/client';
import { t } from '../../base/text';
import { bytes } from './limits';

export type Health = Answer<'GET /v1/health/system'>;
type Figure = Health['figures']['cpu'];

export const CHECKS = ['database', 'disk', 'ram', 'cpu', 'pieces', 'isolation'] as const;
export type CheckName = (typeof CHECKS)[number];

const written = (unit: Figure['unit'], value: number): string => (unit === 'BYTES' ? bytes(value) : `${value} %`);

/** Lines of a check: what was measured with its threshold, and what to do about a problem. */
export function detailsOf(check: CheckName, health: Health): string[] {
  if (check === 'isolation') {
    return [t('health.isolation.mode', { mode: health.isolationInForce })];
  }
  if (check === 'database' || check === 'pieces') {
    return [t(`health.${check}.${health[check] ? 'good' : 'bad'}`)];
  }
  const { value, threshold, unit } = health.figures[check];
  const limit = written(unit, threshold);
  const figures =
    value === undefined
      ? t(check === 'disk' ? 'health.disk.unmeasured' : 'health.unmeasured', { limit })
      : t(`health.${check}.figure`, { value: written(unit, value), limit });
  return health[check] ? [figures] : [figures, t(`health.${check}.bad`)];
}
