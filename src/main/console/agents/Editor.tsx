import { useEffect, useState } from 'preact/hooks';
import { api } from '../base/api/client';
import type { Failure } from '../base/api/failure';
import { Button } from '../base/components/Button';
import { Field, TextField } from '../base/components/Field';
import { Panel } from '../base/components/Panel';
import { Notice } from '../base/components/States';
import { say } from '../base/components/Toasts';
import { useCommands } from '../base/commands';
import { guardLeaving } from '../base/router';
import { t } from '../base/text';
import { ModelFields } from './ModelFields';
import { isSame, whole, type Agent, type Config } from './model';
import { OutputFields } from './OutputFields';
import { Tools } from './Tools';

const STEPS_MAX = 50;

export function Editor({
  agent,
  put,
  onDirty,
}: {
  agent: Agent;
  put: (agent: Agent) => void;
  onDirty: (dirty: boolean) => void;
}) {
  const [draft, setDraft] = useState<Config>(() => whole(agent.draft));
  const [failure, setFailure] = useState<Failure>();
  const [busy, setBusy] = useState(false);
  const dirty = !isSame(draft, whole(agent.draft));
  useEffect(() => {
    onDirty(dirty);
    return () => onDirty(false);
  }, [dirty]);
  useEffect(() => (dirty ? guardLeaving(() => t('agents.leave')) : undefined), [dirty]);
  const save = async (): Promise<void> => {
    setBusy(true);
    const saved = await api('POST /v1/agents/{id}', { path: { id: agent.id }, body: { draft } });
    setBusy(false);
    setFailure(saved.ok ? undefined : saved.failure);
    if (saved.ok) {
      put(saved.value);
      setDraft(whole(saved.value.draft));
      say(t('agents.saved'));
    }
  };
  useCommands(
    [
      {
        id: 'save-agent',
        label: t('agents.save'),
        icon: 'save',
        keys: 'Ctrl+s',
        needs: 'WRITE_AGENT',
        perform: () => save(),
      },
    ],
    [draft],
  );
  const problems = failure?.fields ?? {};
  return (
    <form
      class="agent-form"
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        void save();
      }}>
      <Panel title={t('agents.instructions')} text={t('agents.instructionsText')}>
        <Field label={t('agents.instructions')} problem={problems['draft.instructions']}>
          {(wiring) => (
            <textarea
              class="input"
              {...wiring}
              name="instructions"
              rows={9}
              value={draft.instructions}
              onInput={(event) => setDraft({ ...draft, instructions: event.currentTarget.value })}
            />
          )}
        </Field>
      </Panel>
      <Panel title={t('agents.model')} text={t('agents.modelText')}>
        <ModelFields draft={draft} edit={setDraft} problems={problems} />
        <TextField
          label={t('agents.steps')}
          help={t('agents.stepsHelp', { max: STEPS_MAX })}
          problem={problems['draft.maxSteps']}
          value={String(draft.maxSteps)}
          onValue={(value) => setDraft({ ...draft, maxSteps: Number(value) || 1 })}
          control={{ name: 'maxSteps', type: 'number', min: 1, max: STEPS_MAX }}
        />
      </Panel>
      <Tools projectId={agent.projectId} tools={draft.tools} onTools={(tools) => setDraft({ ...draft, tools })} />
      <OutputFields
        fields={draft.structuredOutput}
        onFields={(structuredOutput) => setDraft({ ...draft, structuredOutput })}
      />
      {failure ? <Notice failure={failure} /> : null}
      <div class="save-bar">
        <span class="faint">{t(dirty ? 'agents.unsaved' : 'agents.isSaved')}</span>
        <Button disabled={!dirty} onClick={() => setDraft(whole(agent.draft))}>
          {t('agents.discard')}
        </Button>
        <Button
          kind={dirty ? 'primary' : 'usual'}
          type="submit"
          icon="save"
          needs="WRITE_AGENT"
          busy={busy}
          disabled={!dirty}>
          {t('agents.save')}
        </Button>
      </div>
    </form>
  );
}
