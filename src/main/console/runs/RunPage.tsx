import { useEffect, useState } from 'preact/hooks';
import { RunApproval } from '../approvals/RunApproval';
import { useCommands } from '../base/commands';
import { Button, LinkButton } from '../base/components/Button';
import { Empty, Failed, Skeleton } from '../base/components/States';
import { navigate, narrow } from '../base/router';
import { t } from '../base/text';
import { Page } from '../frame/Page';
import { retry, type Strategy } from './actions';
import { CancelDialog } from './CancelDialog';
import { nameOf } from './columns';
import { MakeTestDialog } from './MakeTestDialog';
import { isFailed, isLive, type Run } from './model';
import { RetryMenu } from './RetryMenu';
import { RunView } from './RunView';
import { useRun } from './useRun';

export default function RunPage({ params }: { params: Record<string, string> }) {
  const runId = params['runId']!;
  const projectId = params['projectId']!;
  const run = useRun(runId);
  if (!run.value) {
    return (
      <Page title={t('runs.title')}>
        {run.failure ? <Failed failure={run.failure} retry={run.reload} /> : <Skeleton lines={6} />}
      </Page>
    );
  }
  return (
    <Page
      title={t('run.title', { name: nameOf(run.value) })}
      actions={<Actions run={run.value} projectId={projectId} reload={run.reload} />}>
      {run.value.status === 'PAUSED' ? <RunApproval projectId={projectId} runId={runId} decided={run.reload} /> : null}
      {run.value.steps && Object.keys(run.value.steps).length > 0 ? (
        <RunView run={run.value} steps={run.value.steps} liveMs={run.liveMs} />
      ) : (
        <RunView run={run.value} steps={{}} liveMs={run.liveMs}>
          <NoSteps run={run.value} />
        </RunView>
      )}
    </Page>
  );
}

const NoSteps = ({ run }: { run: Run }) => (
  <div class="card">
    <Empty
      icon={isLive(run) ? 'clock' : 'activity'}
      title={t('run.noSteps.title')}
      text={t(isLive(run) ? 'run.noSteps.live' : 'run.noSteps.gone')}
    />
  </div>
);

function Actions({ run, projectId, reload }: { run: Run; projectId: string; reload: () => void }) {
  const [asking, setAsking] = useState(false);
  const [busy, setBusy] = useState(false);
  const [isMaking, setIsMaking] = useState(false);
  const mayTest = !isLive(run) && run.stepNameToTest === undefined && Object.keys(run.steps ?? {}).length > 0;
  const mayRetry = isFailed(run) || run.status === 'CANCELED';
  const again = async (strategy: Strategy): Promise<void> => {
    setBusy(true);
    const [led] = await retry(projectId, [run.id], strategy);
    setBusy(false);
    if (led && !led.error && led.id !== run.id) {
      navigate(`/projects/${projectId}/runs/${led.id}`);
    } else {
      narrow({ step: undefined });
      reload();
    }
  };
  const toFlow = `/projects/${projectId}/flows/${run.flowId}`;
  useEffect(() => {
    setAsking(false);
    setIsMaking(false);
  }, [run.id]);
  useCommands(
    [
      {
        id: 'run-flow',
        label: t('run.openFlow'),
        icon: 'workflow',
        keys: 'o',
        needs: 'READ_FLOW',
        group: t('runs.title'),
        perform: () => navigate(toFlow),
      },
      {
        id: 'run-retry',
        label: `${t('runs.retry')}: ${t('runs.retry.failed')}`,
        icon: 'rotate-ccw',
        keys: 'r',
        needs: 'WRITE_RUN',
        group: t('runs.title'),
        when: () => mayRetry,
        perform: () => again('FROM_FAILED_STEP'),
      },
      {
        id: 'run-retry-latest',
        label: `${t('runs.retry')}: ${t('runs.retry.latest')}`,
        icon: 'rocket',
        needs: 'WRITE_RUN',
        group: t('runs.title'),
        when: () => !isLive(run),
        perform: () => again('ON_LATEST_VERSION'),
      },
      {
        id: 'run-make-test',
        label: t('flowTests.make'),
        icon: 'flask-conical',
        needs: 'WRITE_FLOW',
        group: t('runs.title'),
        when: () => mayTest,
        perform: () => setIsMaking(true),
      },
      {
        id: 'run-cancel',
        label: t('runs.cancel.run'),
        icon: 'circle-slash',
        needs: 'WRITE_RUN',
        group: t('runs.title'),
        when: () => isLive(run),
        perform: () => setAsking(true),
      },
    ],
    [run.id, run.status],
  );
  return (
    <>
      <LinkButton kind="quiet" icon="arrow-left" to={`/projects/${projectId}/runs`}>
        {t('run.back')}
      </LinkButton>
      <LinkButton icon="workflow" needs="READ_FLOW" to={toFlow}>
        {t('run.openFlow')}
      </LinkButton>
      {mayTest ? (
        <Button
          icon="flask-conical"
          needs="WRITE_FLOW"
          more={{ 'data-make-test': '' }}
          onClick={() => setIsMaking(true)}>
          {t('flowTests.make')}
        </Button>
      ) : null}
      {isLive(run) ? (
        <Button icon="circle-slash" needs="WRITE_RUN" onClick={() => setAsking(true)}>
          {t('runs.cancel.run')}
        </Button>
      ) : (
        <RetryMenu primary={mayRetry} fromFailed={mayRetry} disabled={busy} onRetry={(strategy) => again(strategy)} />
      )}
      {isMaking ? <MakeTestDialog run={run} close={() => setIsMaking(false)} /> : null}
      {asking ? (
        <CancelDialog projectId={projectId} runIds={[run.id]} close={() => setAsking(false)} done={reload} />
      ) : null}
    </>
  );
}
