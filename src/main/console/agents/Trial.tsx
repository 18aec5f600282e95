import { useState } from 'preact/hooks';
import { api } from '../base/api/client';
import { settle, type Failure } from '../base/api/failure';
import { reliably } from '../base/api/reliably';
import { Button, LinkButton } from '../base/components/Button';
import { Field } from '../base/components/Field';
import { Panel } from '../base/components/Panel';
import { Failed, Notice } from '../base/components/States';
import { complain } from '../base/components/Toasts';
import { t } from '../base/text';
import { standing, trialOf, type Agent } from './model';
import { RunBlocks } from './RunBlocks';
import { useAgentRun } from './useAgentRun';

/** Runs the agent with a question and shows the turns. */
export function Trial({ agent }: { agent: Agent }) {
  const [question, type] = useState('');
  const [busy, work] = useState(false);
  const [failure, refuse] = useState<Failure>();
  const [id, show] = useState('');
  const begin = async (event: Event): Promise<void> => {
    event.preventDefault();
    work(true);
    refuse(settle(await reliably('POST /v1/agents/runs', { body: trialOf(agent, question.trim()) }), (started) => show(started.runId)));
    work(false);
  };
  return (
    <div class="column">
      <Panel title={t('agents.try')} text={t(standing(agent) === 'live' ? 'agents.tryLive' : 'agents.tryDraft')}>
        <form class="column" onSubmit={(event) => void begin(event)}>
          <Field label={t('agents.question')}>
            {(wiring) => <textarea class="input" {...wiring} name="question" rows={3} value={question} onInput={(event) => type(event.currentTarget.value)} />}
          </Field>
          {failure ? <Notice failure={failure} /> : null}
          <div><Button kind="primary" icon="play" needs="WRITE_AGENT" type="submit" busy={busy} disabled={question.trim() === ''}>{t('agents.ask')}</Button></div>
        </form>
      </Panel>
      {id ? <TrialRun key={id} agent={agent} id={id} /> : null}
    </div>
  );
}

function TrialRun({ agent, id }: { agent: Agent; id: string }) {
  const run = useAgentRun(id);
  if (!run.value) {
    return run.failure ? <Failed failure={run.failure} retry={run.reload} /> : null;
  }
  return (
    <Panel title={t('agents.answer')} actions={(
      <>
        {run.value.status === 'STREAMING' ? <Button size="small" icon="square" needs="WRITE_AGENT" onClick={() => void stop(id)}>{t('agents.stop')}</Button> : null}
        <LinkButton size="small" to={`/projects/${agent.projectId}/agents/${agent.id}/runs/${id}`}>{t('agents.open')}</LinkButton>
      </>
    )}><RunBlocks run={run.value} /></Panel>
  );
}

export async function stop(id: string): Promise<void> {
  const stopped = await api('POST /v1/agents/runs/{id}/cancel', { path: { id } });
  if (!stopped.ok) {
    complain(stopped.failure);
  }
}
