import { useState } from 'preact/hooks';
import { api } from '../base/api/client';
import type { Result } from '../base/api/failure';
import { Button, LinkButton } from '../base/components/Button';
import { Failed, Skeleton } from '../base/components/States';
import { Tabs } from '../base/components/Tabs';
import { complain, say } from '../base/components/Toasts';
import { useQuery } from '../base/query';
import { narrow, usePlace } from '../base/router';
import { t } from '../base/text';
import { Page } from '../frame/Page';
import { AgentDialog } from './AgentDialog';
import { AgentSign, StandingBadge } from './AgentSign';
import { Editor } from './Editor';
import { standing, type Agent, type Turn } from './model';
import { RunList } from './RunList';
import { Trial } from './Trial';

const VIEWS = ['edit', 'try', 'runs'] as const;

export default function AgentPage({ params }: { params: Record<string, string> }) {
  const [projectId, id] = [params['projectId']!, params['agentId']!];
  const { query } = usePlace();
  const view = VIEWS.find((each) => each === query.get('view')) ?? 'edit';
  const agent = useQuery<Agent>(`agent ${id}`, (signal) =>
    api('GET /v1/agents/{id}', { path: { id }, query: { includeUsage: true }, signal }),
  );
  const [naming, setNaming] = useState(false);
  const [dirty, setDirty] = useState(false);
  const [turns, setTurns] = useState<readonly Turn[]>([]);
  if (!agent.value) {
    return (
      <Page title={t('agents.title')}>
        {agent.failure ? <Failed failure={agent.failure} retry={agent.reload} /> : <Skeleton lines={5} />}
      </Page>
    );
  }
  const known = agent.value;
  const put = (value: Agent): void => agent.put((before) => ({ ...before, ...value }));
  return (
    <Page
      title={known.displayName}
      actions={<Actions agent={known} primary={view !== 'try' && !dirty} put={put} rename={() => setNaming(true)} />}>
      <div class="agent-head">
        <AgentSign icon={known.icon} color={known.color} />
        <span class="faint">{known.description || t('agents.noDescription')}</span>
        <StandingBadge now={standing(known)} />
        {known.publishedFlowsUsingAgent && known.publishedFlowsUsingAgent.total > 0 ? (
          <span class="faint">{t('agents.usedBy', { names: known.publishedFlowsUsingAgent.names.join(', ') })}</span>
        ) : null}
      </div>
      <Tabs
        label={known.displayName}
        chosen={view}
        onChoose={(key) => narrow({ view: key === 'edit' ? '' : key })}
        tabs={VIEWS.map((key) => ({ key, label: t(`agents.view.${key}`) }))}>
        <div class="connections">
          {view === 'edit' ? (
            <Editor key={known.id} agent={known} put={put} onDirty={setDirty} />
          ) : view === 'try' ? (
            <Trial key={known.id} agent={known} turns={turns} change={setTurns} />
          ) : (
            <RunList projectId={projectId} agentId={known.id} />
          )}
        </div>
      </Tabs>
      {naming ? (
        <AgentDialog
          projectId={projectId}
          agent={known}
          close={() => setNaming(false)}
          made={(_, value) => put(value)}
        />
      ) : null}
    </Page>
  );
}

/** @param primary whether to publish is the main action of the view */
function Actions({
  agent,
  primary,
  put,
  rename,
}: {
  agent: Agent;
  primary: boolean;
  put: (agent: Agent) => void;
  rename: () => void;
}) {
  const [busy, setBusy] = useState(false);
  const perform = async (ask: () => Promise<Result<Agent>>, done: string): Promise<void> => {
    setBusy(true);
    const answer = await ask();
    setBusy(false);
    if (answer.ok) {
      put(answer.value);
      say(done);
    } else {
      complain(answer.failure);
    }
  };
  const path = { path: { id: agent.id } };
  return (
    <>
      <LinkButton to={`/projects/${agent.projectId}/agents`} kind="quiet" icon="arrow-left">
        {t('agents.title')}
      </LinkButton>
      <Button icon="pencil" needs="WRITE_AGENT" onClick={rename}>
        {t('base.rename')}
      </Button>
      {agent.published ? (
        <Button
          needs="WRITE_AGENT"
          onClick={() => perform(() => api('POST /v1/agents/{id}/unpublish', path), t('agents.unpublished'))}
          busy={busy}>
          {t('agents.unpublish')}
        </Button>
      ) : null}
      <Button
        kind={primary ? 'primary' : 'usual'}
        icon="rocket"
        needs="WRITE_AGENT"
        busy={busy}
        disabled={standing(agent) === 'live'}
        onClick={() => perform(() => api('POST /v1/agents/{id}/publish', path), t('agents.published'))}>
        {t('agents.publish')}
      </Button>
    </>
  );
}
