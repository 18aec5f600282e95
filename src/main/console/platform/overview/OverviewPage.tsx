import { api, type Answer } from '../../base/api/client';
import { Facts, Panel } from '../../base/components/Panel';
import { Badge } from '../../base/components/States';
import { useQuery } from '../../base/query';
import { session } from '../../base/session';
import { useStore } from '../../base/store';
import { t, type TextKey } from '../../base/text';
import { Loaded } from '../Loaded';
import { PlatformPage } from '../PlatformPage';
import { limitsOf } from './limits';
import { Nodes } from './Nodes';

type Health = Answer<'GET /v1/health/system'>;

const CHECKS = ['database', 'disk', 'ram', 'cpu', 'pieces', 'isolation'] as const;

/** State of the installation: health, nodes, settings. */
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
                <Check key={check} check={check} good={found[check]} isolation={found.isolationInForce} />
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

function Check({ check, good, isolation }: { check: (typeof CHECKS)[number]; good: boolean; isolation: string }) {
  const detail =
    check === 'isolation'
      ? t('health.isolation.mode', { mode: isolation })
      : t(`health.${check}.${good ? 'good' : 'bad'}` as TextKey);
  return (
    <li>
      <div class="row">
        <strong>{t(`health.${check}` as TextKey)}</strong>
        <Badge tone={good ? 'green' : 'red'} icon={good ? 'circle-check' : 'circle-x'}>
          {t(good ? 'health.good' : 'health.bad')}
        </Badge>
      </div>
      <span class="faint">{detail}</span>
    </li>
  );
}
