import { t } from '../../base/text';
import { cronOf, nextRuns, offsetIn } from '../schedule';

const SHOWN = 5;

export function NextRuns({ trigger, input }: { trigger: string; input: Record<string, unknown> }) {
  const zone = String(input['timezone'] ?? 'UTC');
  const cron = cronOf(trigger, input);
  const times = cron ? nextRuns(cron, Date.now(), offsetIn(zone), SHOWN) : undefined;
  if (!times || times.length === 0) {
    return null;
  }
  const shown = new Intl.DateTimeFormat(undefined, {
    weekday: 'short',
    day: 'numeric',
    month: 'short',
    hour: '2-digit',
    minute: '2-digit',
    timeZone: zone,
  });
  return (
    <div class="field" data-next-runs>
      <div class="label">{t('panel.nextRuns', { zone })}</div>
      <ol class="next-runs">
        {times.map((time) => (
          <li key={time}>{shown.format(time)}</li>
        ))}
      </ol>
    </div>
  );
}
