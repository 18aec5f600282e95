import { useEffect, useMemo, useState } from 'preact/hooks';
import { api } from '../../base/api/client';
import { refused, success, type Failure } from '../../base/api/failure';
import { Button } from '../../base/components/Button';
import { Dialog } from '../../base/components/Dialog';
import { Checkbox, Field, SelectField, TextField } from '../../base/components/Field';
import { Notice } from '../../base/components/States';
import { say } from '../../base/components/Toasts';
import { useQuery } from '../../base/query';
import { navigate } from '../../base/router';
import { count, t } from '../../base/text';
import type { Run } from '../model';
import { recordAt, type StepRecords } from '../steps';
import { Effects } from './Effects';
import {
  bodyOf,
  choices,
  formOf,
  loopsOf,
  performed,
  versions,
  type Choice,
  type EffectList,
  type ReplayForm,
  type Version,
} from './replay';

interface Props {
  run: Run;
  steps: StepRecords;
  stepKey: string;
  title: (name: string) => string;
  close: () => void;
}

/** Pause after the last keystroke before the dry run. */
const TYPING_MS = 400;
const WIDE_PX = 640;

/** The effects outside are listed by a dry run before the start. */
export function ReplayDialog({ run, steps, stepKey, title, close }: Props) {
  const record = recordAt(steps, stepKey);
  const [form, setForm] = useState<ReplayForm>(() => formOf(stepKey));
  const [settled, setSettled] = useState(form);
  const [isBusy, setIsBusy] = useState(false);
  const [refusal, setRefusal] = useState<Failure>();
  useEffect(() => {
    const timer = setTimeout(() => setSettled(form), TYPING_MS);
    return () => clearTimeout(timer);
  }, [form]);
  const wish = useMemo(() => bodyOf(steps, stepKey, form), [steps, stepKey, form]);
  const shown = useMemo(() => bodyOf(steps, stepKey, settled), [steps, stepKey, settled]);
  const asked = 'body' in shown ? shown.body : undefined;
  const effects = useQuery<EffectList | undefined>(`replay ${run.id} ${JSON.stringify(asked)}`, async (signal) => {
    if (!asked) {
      return success(undefined);
    }
    const list = await api('POST /v1/flow-runs/{id}/replay', {
      path: { id: run.id },
      body: { ...asked, dryRun: true },
      signal,
    });
    return list.ok ? success(list.value as EffectList) : refused(list.failure);
  });
  const problems = 'problems' in wish ? wish.problems : undefined;
  const isListed = form === settled && !effects.loading && effects.value !== undefined && !effects.failure;
  const calls = isListed && effects.value ? performed(effects.value) : 0;
  const change = (part: Partial<ReplayForm>): void => setForm((now) => ({ ...now, ...part }));
  const start = async (event: Event): Promise<void> => {
    event.preventDefault();
    if (!('body' in wish)) {
      return;
    }
    setIsBusy(true);
    const started = await api('POST /v1/flow-runs/{id}/replay', { path: { id: run.id }, body: wish.body });
    setIsBusy(false);
    setRefusal(started.ok ? undefined : started.failure);
    if (started.ok) {
      say(t('replay.started'));
      close();
      navigate(`/projects/${run.projectId}/runs/${(started.value as Run).id}`);
    }
  };
  return (
    <Dialog
      title={t('replay.title', { step: title(record ? (stepKey.split('.').pop() ?? '') : '') })}
      onClose={close}
      wide={WIDE_PX}>
      <form class="replay" onSubmit={(event) => void start(event)} noValidate>
        <div class="body">
          <p>{t('replay.text')}</p>
          <div class="replay-choices">
            <SelectField
              label={t('replay.version')}
              value={form.version}
              onValue={(version) => change({ version: version as Version })}
              options={versions.map((value) => ({ value, label: t(`replay.version.${value}`) }))}
            />
            <SelectField
              label={t('replay.effects')}
              value={form.effects}
              onValue={(chosen) => change({ effects: chosen as Choice })}
              options={choices.map((value) => ({ value, label: t(`replay.effects.${value}`) }))}
            />
            {loopsOf(steps, stepKey, form).map((each) => (
              <TextField
                key={each.loop}
                label={t('replay.iteration', { loop: title(each.loop) })}
                help={t('replay.iterationHelp', { count: each.count })}
                problem={
                  problems && each.loop in problems.iterations
                    ? t('replay.iterationBad', { count: each.count })
                    : undefined
                }
                value={form.iterations[each.loop] ?? ''}
                onValue={(text) => change({ iterations: { ...form.iterations, [each.loop]: text } })}
                control={{ inputMode: 'numeric', autocomplete: 'off' }}
              />
            ))}
          </div>
          <Checkbox
            label={t('replay.edit')}
            checked={form.input !== undefined}
            onChange={(on) => change({ input: on ? JSON.stringify(record?.input ?? {}, null, 2) : undefined })}
          />
          {form.input === undefined ? null : (
            <Field
              label={t('replay.input')}
              help={t('replay.inputHelp')}
              problem={problems?.input === undefined ? undefined : t('replay.inputBad', { reason: problems.input })}>
              {(wiring) => (
                <textarea
                  class="input mono"
                  name="input"
                  rows={8}
                  spellcheck={false}
                  {...wiring}
                  value={form.input}
                  onInput={(event) => change({ input: event.currentTarget.value })}
                />
              )}
            </Field>
          )}
          {problems ? null : <Effects list={effects} title={title} />}
          {refusal ? <Notice failure={refusal} /> : null}
        </div>
        <footer>
          <Button onClick={close}>{t('base.cancel')}</Button>
          <Button
            kind="primary"
            type="submit"
            busy={isBusy}
            disabled={!isListed || problems !== undefined}
            more={{ 'data-start-replay': '' }}>
            {calls > 0 ? count('replay.startPerform', calls) : t('replay.start')}
          </Button>
        </footer>
      </form>
    </Dialog>
  );
}
