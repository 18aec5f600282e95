import { useEffect, useRef, useState } from 'preact/hooks';
import { api } from '../base/api/client';
import { settle, type Failure } from '../base/api/failure';
import { reliably } from '../base/api/reliably';
import { Button, LinkButton } from '../base/components/Button';
import { Panel } from '../base/components/Panel';
import { Failed, Notice } from '../base/components/States';
import { complain } from '../base/components/Toasts';
import { session } from '../base/session';
import { useStore } from '../base/store';
import { t } from '../base/text';
import { conversationOf, standing, trialOf, type Agent, type Run, type Turn } from './model';
import { NoProvider, useHasNoProvider } from './NoProvider';
import { RunBlocks } from './RunBlocks';
import { useAgentRun } from './useAgentRun';

interface Props {
  agent: Agent;
  turns: readonly Turn[];
  change: (change: (turns: readonly Turn[]) => readonly Turn[]) => void;
}

/** Each turn is a run that reads the earlier turns. */
export function Trial({ agent, turns, change }: Props) {
  const [question, setQuestion] = useState('');
  const [busy, setBusy] = useState(false);
  const [failure, setFailure] = useState<Failure>();
  const area = useRef<HTMLTextAreaElement>(null);
  const end = useRef<HTMLDivElement>(null);
  const messagesMax = useStore(session, (now) =>
    now.state === 'in' ? Number(now.flags['AGENT_CONVERSATION_MESSAGES_MAX'] ?? 0) : 0,
  );
  const last = turns.at(-1);
  const live = last !== undefined && last.run?.status !== 'IDLE' && last.run?.status !== 'ERROR';
  useEffect(() => {
    if (turns.length > 0) {
      end.current?.scrollIntoView({ block: 'nearest' });
    }
  }, [turns]);
  useEffect(() => {
    if (!live) {
      area.current?.focus({ preventScroll: true });
    }
  }, [live]);
  const hasNoProvider = useHasNoProvider();
  const isReady = !live && !busy && !hasNoProvider && question.trim() !== '';
  const begin = async (): Promise<void> => {
    const asked = question.trim();
    setBusy(true);
    const started = await reliably('POST /v1/agents/runs', {
      body: trialOf(agent, asked, conversationOf(turns, messagesMax)),
    });
    setFailure(
      settle(started, ({ runId }) => {
        change((before) => [...before, { id: runId, question: asked, run: undefined }]);
        setQuestion('');
      }),
    );
    setBusy(false);
  };
  return (
    <Panel
      title={t('agents.try')}
      text={t(standing(agent) === 'live' ? 'agents.tryLive' : 'agents.tryDraft')}
      actions={
        turns.length > 0 ? (
          <Button size="small" icon="plus" disabled={live || busy} onClick={() => change(() => [])}>
            {t('agents.newConversation')}
          </Button>
        ) : null
      }>
      {turns.length > 0 ? (
        <div class="conversation" role="log" aria-label={t('agents.conversation')}>
          {turns.map((turn) => (
            <TrialTurn
              key={turn.id}
              agent={agent}
              turn={turn}
              put={(run) => change((before) => before.map((each) => (each.id === run.id ? { ...each, run } : each)))}
            />
          ))}
        </div>
      ) : null}
      <form
        class="composer"
        onSubmit={(event) => {
          event.preventDefault();
          void begin();
        }}>
        {hasNoProvider ? <NoProvider /> : null}
        {failure?.code === 'ENTITY_NOT_FOUND' ? (
          // Not a page: the provider or the agent, which the message names.
          <Notice>{failure.message}</Notice>
        ) : failure ? (
          <Notice failure={failure} />
        ) : null}
        <textarea
          class="input"
          ref={area}
          name="question"
          rows={2}
          aria-label={t('agents.question')}
          placeholder={t(turns.length > 0 ? 'agents.followUp' : 'agents.question')}
          value={question}
          onInput={(event) => setQuestion(event.currentTarget.value)}
          onKeyDown={(event) => {
            if (event.key === 'Enter' && !event.shiftKey && !event.isComposing) {
              event.preventDefault();
              if (isReady) {
                void begin();
              }
            }
          }}
        />
        <div class="composer-actions">
          <span class="faint">{t('agents.sendHelp')}</span>
          <span class="spread" />
          {live ? (
            <Button icon="square" needs="WRITE_AGENT" onClick={() => stop(last.id)}>
              {t('agents.stop')}
            </Button>
          ) : (
            <Button kind="primary" icon="send" needs="WRITE_AGENT" type="submit" busy={busy} disabled={!isReady}>
              {t('agents.send')}
            </Button>
          )}
        </div>
      </form>
      <div ref={end} />
    </Panel>
  );
}

function TrialTurn({ agent, turn, put }: { agent: Agent; turn: Turn; put: (run: Run) => void }) {
  const { value, failure, reload } = useAgentRun(turn.id);
  useEffect(() => {
    if (value && value !== turn.run) {
      put(value);
    }
  }, [value]);
  const run = value ?? turn.run;
  return (
    <article class="turn">
      <div class="turn-question">
        <p>{turn.question}</p>
      </div>
      {run ? (
        <RunBlocks run={run} asked={false} />
      ) : failure ? null : (
        <p class="faint" role="status">
          {t('agents.thinking')}
        </p>
      )}
      {failure ? <Failed failure={failure} retry={reload} /> : null}
      <p class="turn-foot">
        <LinkButton kind="quiet" size="small" to={`/projects/${agent.projectId}/agents/${agent.id}/runs/${turn.id}`}>
          {t('agents.open')}
        </LinkButton>
      </p>
    </article>
  );
}

export async function stop(id: string): Promise<void> {
  const stopped = await api('POST /v1/agents/runs/{id}/cancel', { path: { id } });
  if (!stopped.ok) {
    complain(stopped.failure);
  }
}
