import { useMemo, useState } from 'preact/hooks';
import { api } from '../base/api/client';
import { success, type Result } from '../base/api/failure';
import { LinkButton } from '../base/components/Button';
import { Empty, Failed, Notice, Skeleton } from '../base/components/States';
import { useQuery } from '../base/query';
import { linkTo } from '../base/router';
import { count, t } from '../base/text';
import { ago, moment } from '../base/time';
import { retry, type Strategy } from './actions';
import { causesOf, type Cause } from './grouping';
import { queryOf, type Filter, type Run } from './model';
import { RetryMenu } from './RetryMenu';
import { StatusBadge } from './StatusBadge';
import { useLiveRuns } from './useLiveRuns';

const RUNS_MAX = 1000;
const EXAMPLES = 3;

export function Causes({ projectId, filter }: { projectId: string; filter: Filter }) {
  const failed: Filter = useMemo(() => ({ ...filter, status: 'failed' }), [filter]);
  const runs = useQuery<Run[]>(
    `causes ${projectId} ${JSON.stringify(failed)}`,
    async (signal): Promise<Result<Run[]>> => {
      const page = await api('GET /v1/flow-runs', {
        query: { projectId, ...queryOf(failed, Date.now()), limit: RUNS_MAX },
        signal,
      });
      return page.ok ? success(page.value.data as Run[]) : page;
    },
  );
  useLiveRuns(projectId, failed, runs, () => {});
  const causes = useMemo(() => causesOf(runs.value ?? []), [runs.value]);
  if (!runs.value) {
    return runs.failure ? (
      <Failed failure={runs.failure} retry={runs.reload} />
    ) : (
      <div class="card table-wait">
        <Skeleton lines={6} />
      </div>
    );
  }
  if (causes.length === 0) {
    return (
      <div class="card">
        <Empty icon="circle-check" title={t('runs.causes.none.title')} text={t('runs.causes.none.text')} />
      </div>
    );
  }
  return (
    <div class="column">
      {runs.value.length >= RUNS_MAX ? (
        <Notice tone="blue">{t('runs.causes.limit', { count: RUNS_MAX })}</Notice>
      ) : null}
      <ul class="card causes">
        {causes.map((cause) => (
          <CauseRow key={cause.key} cause={cause} projectId={projectId} filter={filter} changed={runs.reload} />
        ))}
      </ul>
    </div>
  );
}

function CauseRow({
  cause,
  projectId,
  filter,
  changed,
}: {
  cause: Cause;
  projectId: string;
  filter: Filter;
  changed: () => void;
}) {
  const [busy, setBusy] = useState(false);
  const again = async (strategy: Strategy): Promise<void> => {
    setBusy(true);
    await retry(
      projectId,
      cause.runs.map((run) => run.id),
      strategy,
    );
    setBusy(false);
    changed();
  };
  const query = new URLSearchParams({
    status: 'failed',
    flow: cause.flowId,
    ...(cause.step ? { step: cause.step } : {}),
    ...(filter.time ? { time: filter.time } : {}),
  });
  const flow = cause.flowName || t('runs.noName');
  return (
    <li class="cause">
      <div class="cause-words">
        <p class="cause-message">{cause.message || t('runs.causes.noMessage')}</p>
        <p class="row faint">
          <StatusBadge status={cause.status} />
          <span>{cause.stepName ? t('runs.causes.at', { flow, step: cause.stepName }) : flow}</span>
          <span title={`${moment(cause.first)} – ${moment(cause.last)}`}>{ago(cause.last, Date.now())}</span>
        </p>
        <p class="row faint">
          {cause.runs.slice(0, EXAMPLES).map((run) => (
            <a key={run.id} class="figures" {...linkTo(`/projects/${projectId}/runs/${run.id}`)}>
              {moment(run.created)}
            </a>
          ))}
        </p>
      </div>
      <div class="cause-actions">
        <strong class="figures">{count('runs.causes.count', cause.runs.length)}</strong>
        <LinkButton size="small" kind="quiet" to={`/projects/${projectId}/runs?${query.toString()}`}>
          {t('runs.causes.show')}
        </LinkButton>
        <RetryMenu small disabled={busy} onRetry={(strategy) => again(strategy)} />
      </div>
    </li>
  );
}
