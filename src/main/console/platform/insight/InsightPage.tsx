import { useState } from 'preact/hooks';
import { api } from '../../base/api/client';
import { Button } from '../../base/components/Button';
import { Notice } from '../../base/components/States';
import { complain } from '../../base/components/Toasts';
import { useQuery } from '../../base/query';
import { narrow, usePlace } from '../../base/router';
import { t } from '../../base/text';
import { ago, duration } from '../../base/time';
import { Loaded } from '../Loaded';
import { PlatformPage } from '../PlatformPage';
import { Badges } from './Badges';
import { BusyFlows } from './BusyFlows';
import { PERIODS, spansOf, sumsOf, type Period, type Report } from './figures';
import { Leaders } from './Leaders';
import { Plot } from './Plot';

export default function InsightPage() {
  const { query } = usePlace();
  const period = PERIODS.find((each) => each === query.get('period')) ?? 'last-month';
  return (
    <PlatformPage
      title={t('insight.title')}
      actions={
        <div class="segments" role="group" aria-label={t('insight.period')}>
          {PERIODS.map((each) => (
            <button
              key={each}
              type="button"
              aria-pressed={each === period}
              onClick={() => narrow({ period: each === 'last-month' ? '' : each })}>
              {t(`insight.${each}`)}
            </button>
          ))}
        </div>
      }>
      {() => <Insight period={period} />}
    </PlatformPage>
  );
}

function Insight({ period }: { period: Period }) {
  const report = useQuery<Report>(`analytics ${period}`, (signal) =>
    api('GET /v1/analytics', { query: { timePeriod: period }, signal }),
  );
  const [busy, setBusy] = useState(false);
  const refresh = async (): Promise<void> => {
    setBusy(true);
    const fresh = await api('POST /v1/analytics/refresh', { query: { timePeriod: period } });
    setBusy(false);
    if (fresh.ok) {
      report.put(() => fresh.value);
    } else {
      complain(fresh.failure);
    }
  };
  return (
    <Loaded query={report} lines={8}>
      {(known) => {
        const spans = spansOf(known.runs, period, Date.now());
        const sums = sumsOf(spans);
        return (
          <>
            {known.outdated ? (
              <Notice tone="grey">
                <span class="row">
                  {t('insight.outdated', { ago: ago(known.cachedAt, Date.now()) })}
                  <Button size="small" icon="refresh-cw" busy={busy} onClick={() => refresh()}>
                    {t('insight.refresh')}
                  </Button>
                </span>
              </Notice>
            ) : null}
            <div class="plots">
              <Plot
                title={t('insight.runs')}
                sum={String(sums.runs)}
                spans={spans}
                value={(span) => span.runs}
                write={String}
                tone="accent"
              />
              <Plot
                title={t('insight.failures')}
                sum={String(sums.failed)}
                spans={spans}
                value={(span) => span.failed}
                write={String}
                tone="red"
              />
              <Plot
                title={t('insight.duration')}
                sum={sums.meanMs === undefined ? '–' : duration(sums.meanMs)}
                spans={spans}
                value={(span) => span.meanMs ?? 0}
                write={duration}
                tone="blue"
              />
            </div>
            <BusyFlows report={known} />
            <Leaders period={period} users={known.users} />
            <Badges />
          </>
        );
      }}
    </Loaded>
  );
}
