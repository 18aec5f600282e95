import { api } from '../../base/api/client';
import { Facts, Panel } from '../../base/components/Panel';
import { Badge } from '../../base/components/States';
import { useQuery } from '../../base/query';
import { session } from '../../base/session';
import { useStore } from '../../base/store';
import { t, type TextKey } from '../../base/text';
import { Loaded } from '../Loaded';
import { PlatformPage } from '../PlatformPage';
import { CHECKS, detailsOf, type CheckName, type Health } from './health';
import { limitsOf } from './limits';
import { Nodes } from './Nodes';

export default function OverviewPage() {
  return <PlatformPage title={t('platform.overview')}>{() => <Overview />}</PlatformPage>;
}

function Overview() {
  const health = useQuery<Health>('health', (signal) => api('GET /v1/health/system', { signal }));
  const flags = useStore(session, (now) => (now.state === 'in' ? now.flags : {}));
  return (
    <>
      <Panel title={t('health.title')} text={t('health.text')}>
        <Loaded query={health}>
          {(found) => (
            <ul class="checks">
              {CHECKS.map((check) => (
                <Check key={check} check={check} health={found} />
              ))}
            </ul>
          )}
        </Loaded>
      </Panel>
      <Nodes />
      <Panel title={t('limits.title')} text={t('limits.text')}>
        <Facts facts={limitsOf(flags).map(([key, value]) => [t(key), value] as const)} />
      </Panel>
    </>
  );
}

function Check({ check, health }: { check: CheckName; health: Health }) {
  const good = health[check];
  return (
    <li data-check={check}>
      <div class="row">
        <strong>{t(`health.${check}` as TextKey)}</strong>
        <Badge tone={good ? 'green' : 'red'} icon={good ? 'circle-check' : 'circle-x'}>
          {t(good ? 'health.good' : 'health.bad')}
        </Badge>
      </div>
      {detailsOf(check, health).map((line) => (
        <span key={line} class="faint">
          {line}
        </span>
      ))}
    </li>
  );
}
