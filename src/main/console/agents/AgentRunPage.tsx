import { Button, LinkButton } from '../base/components/Button';
import { Failed, Skeleton } from '../base/components/States';
import { linkTo } from '../base/router';
import { t } from '../base/text';
import { moment } from '../base/time';
import { Page } from '../frame/Page';
import { RunBlocks } from './RunBlocks';
import { RunStatus } from './RunList';
import { stop } from './Trial';
import { useAgentRun } from './useAgentRun';

export default function AgentRunPage({ params }: { params: Record<string, string> }) {
  const [projectId, agentId, id] = [params['projectId']!, params['agentId']!, params['runId']!];
  const run = useAgentRun(id);
  const known = run.value;
  return (
    <Page
      title={t('agents.run')}
      actions={
        <>
          <LinkButton to={`/projects/${projectId}/agents/${agentId}?view=runs`} kind="quiet" icon="arrow-left">
            {t('agents.runs')}
          </LinkButton>
          {known?.status === 'STREAMING' ? (
            <Button icon="square" needs="WRITE_AGENT" onClick={() => stop(id).then(run.reload)}>
              {t('agents.stop')}
            </Button>
          ) : null}
        </>
      }>
      {!known ? (
        run.failure ? (
          <Failed failure={run.failure} retry={run.reload} />
        ) : (
          <Skeleton lines={5} />
        )
      ) : (
        <>
          <div class="agent-head">
            <RunStatus status={known.status} />
            <span class="faint">{moment(known.created)}</span>
            {known.modelName ? <span class="faint">{known.modelName}</span> : null}
            {known.flow?.flowRunId ? (
              <a {...linkTo(`/projects/${projectId}/runs/${known.flow.flowRunId}`)}>
                {known.flow.displayName ?? t('agents.flow')}
              </a>
            ) : null}
          </div>
          <div class="card block-card">
            <RunBlocks run={known} />
          </div>
        </>
      )}
    </Page>
  );
}
