import { useState } from 'preact/hooks';
import { api } from '../base/api/client';
import { Button, LinkButton } from '../base/components/Button';
import { Icon } from '../base/components/Icon';
import { Badge } from '../base/components/States';
import { useQuery } from '../base/query';
import { linkTo } from '../base/router';
import { count, t } from '../base/text';
import { retry } from './actions';
import { barsOf, claimsOf, offered, type Action, type Diagnosis, type Words } from './diagnosis';
import type { Run } from './model';

const DAYS_SHOWN = 14;

const words: Words = {
  difference: (step, path, before, now, more) =>
    t('run.diagnosis.difference', { step, path: path || t('run.diagnosis.whole'), before, now }) +
    (more > 0 ? ` ${count('run.diagnosis.more', more)}` : ''),
  similar: (failures, days) =>
    t('run.diagnosis.similar', {
      failures: count('run.diagnosis.failures', failures),
      days: count('run.diagnosis.days', days),
    }),
};

/** `replay` opens the replay from the failed step. */
export function DiagnosisNotice({ run, replay }: { run: Run; replay?: () => void }) {
  const diagnosis = useQuery<Diagnosis>(`diagnosis ${run.id} ${run.updated}`, (signal) =>
    api('GET /v1/flow-runs/{id}/diagnosis', { path: { id: run.id }, signal }),
  );
  const found = diagnosis.value;
  if (!found?.failed || !found.cause) {
    return null;
  }
  return (
    <section class="card diagnosis" aria-label={t('run.diagnosis.title')}>
      <p class="row diagnosis-cause">
        <Badge tone="red" icon="search">
          {t(`run.cause.${found.cause.class}`)}
        </Badge>
        <span>{found.cause.text}</span>
      </p>
      <ul class="diagnosis-claims">
        {claimsOf(found, words).map((claim) => (
          <li key={claim.key}>
            <Icon name={claim.kind === 'difference' ? 'braces' : claim.kind === 'change' ? 'pencil' : 'activity'} />
            {claim.to ? <a {...linkTo(claim.to)}>{claim.text}</a> : <span>{claim.text}</span>}
          </li>
        ))}
      </ul>
      {found.similar && found.similar.count > 1 ? <Trend similar={found.similar} /> : null}
      <div class="row diagnosis-actions">
        {offered(found).map((action) => (
          <ActionButton
            key={`${action.kind} ${action.connectionId ?? action.setting ?? ''}`}
            action={action}
            run={run}
          />
        ))}
        {replay ? (
          <Button size="small" icon="history" needs="WRITE_RUN" onClick={replay}>
            {t('replay.openFailed')}
          </Button>
        ) : null}
      </div>
    </section>
  );
}

function Trend({ similar }: { similar: NonNullable<Diagnosis['similar']> }) {
  const bars = barsOf(similar.days, similar.lastOccurrence, DAYS_SHOWN);
  return (
    <div class="diagnosis-trend" role="img" aria-label={t('run.diagnosis.trend', { days: DAYS_SHOWN })}>
      {bars.map((bar) => (
        <span
          key={bar.day}
          title={`${bar.day}: ${bar.count}`}
          style={{ height: `${Math.round(4 + 20 * bar.height)}px` }}
          data-empty={bar.count === 0}
        />
      ))}
    </div>
  );
}

function ActionButton({ action, run }: { action: Action; run: Run }) {
  const [isBusy, setIsBusy] = useState(false);
  if (action.kind === 'RECONNECT') {
    return (
      <LinkButton size="small" icon="plug" to={action.console ?? ''}>
        {t('run.diagnosis.reconnect', { name: action.displayName ?? '' })}
      </LinkButton>
    );
  }
  if (action.kind === 'RAISE_LIMIT') {
    return (
      <span class="faint">
        {t('run.diagnosis.raise', { setting: action.setting ?? '', value: action.value ?? '' })}
      </span>
    );
  }
  const again = async (): Promise<void> => {
    setIsBusy(true);
    await retry(run.projectId, [run.id], 'FROM_FAILED_STEP');
    setIsBusy(false);
  };
  return (
    <Button size="small" icon="rotate-ccw" needs="WRITE_RUN" busy={isBusy} onClick={() => again()}>
      {t('run.diagnosis.retry')}
    </Button>
  );
}
