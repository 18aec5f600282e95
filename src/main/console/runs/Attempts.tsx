import { api, type Answer } from '../base/api/client';
import { askIf } from '../base/permissions';
import { useQuery } from '../base/query';
import { linkTo } from '../base/router';
import { count, t } from '../base/text';
import { duration, moment } from '../base/time';
import { lineOf } from './errors';
import type { Run } from './model';
import { StatusBadge } from './StatusBadge';

type Attempt = Answer<'GET /v1/flow-runs/{id}/attempts'>['data'][number];

export function Attempts({ run }: { run: Run }) {
  const attempts = useQuery(`attempts ${run.id} ${run.status}`, (signal) =>
    askIf('READ_RUN', () => api('GET /v1/flow-runs/{id}/attempts', { path: { id: run.id }, signal })),
  );
  const all = attempts.value?.data ?? [];
  const earlier = all.filter((each) => each.runId === run.id);
  const later = all.filter((each) => each.runId !== run.id);
  const page = (id: string): string => `/projects/${run.projectId}/runs/${id}`;
  return all.length === 0 ? null : (
    <section class="card attempts" aria-label={t('run.attempts')} data-attempts={earlier.length}>
      {earlier.length > 0 ? (
        <details open>
          <summary>{count('run.attempts.earlier', earlier.length)}</summary>
          <ol>
            {earlier.map((each) => (
              <li key={each.retriedAt}>
                <span class="row">
                  <StatusBadge status={each.status} />
                  <span class="figures">{timeOf(each)}</span>
                  {each.attemptRunId === run.id ? null : (
                    <a {...linkTo(page(each.attemptRunId))}>{t('run.attempts.run')}</a>
                  )}
                </span>
                {each.failedStep ? (
                  <p class="error-message">
                    {[each.failedStep.displayName, lineOf(each.failedStep.message ?? '')].filter(Boolean).join(': ')}
                  </p>
                ) : null}
                <p class="faint">{retryOf(each, run.id)}</p>
              </li>
            ))}
          </ol>
        </details>
      ) : null}
      {later.map((each) => (
        <p key={each.runId} data-later>
          {retryOf(each, run.id)} <a {...linkTo(page(each.runId))}>{t('run.attempts.open')}</a>
        </p>
      ))}
    </section>
  );
}

function timeOf(attempt: Attempt): string {
  const { startTime, finishTime } = attempt;
  return [
    startTime ? moment(startTime) : '',
    startTime && finishTime ? duration(Date.parse(finishTime) - Date.parse(startTime)) : '',
  ]
    .filter(Boolean)
    .join(', ');
}

function retryOf(attempt: Attempt, runId: string): string {
  const how =
    attempt.attemptRunId === attempt.runId
      ? 'run.attempts.step'
      : attempt.runId === runId
        ? 'run.attempts.latest'
        : 'run.attempts.later';
  const places = {
    name: attempt.retriedByName ?? t('run.attempts.unknown'),
    time: moment(attempt.retriedAt),
    step: attempt.failedStep?.displayName ?? t('run.attempts.beginning'),
  };
  return attempt.retriedBy ? t(how, places) : t('run.attempts.server', places);
}
