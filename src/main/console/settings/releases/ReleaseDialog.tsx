import { useState } from 'preact/hooks';
import type { NewRelease, ReleaseSource } from '#api';
import { api } from '../../base/api/client';
import type { Failure } from '../../base/api/failure';
import { reliably } from '../../base/api/reliably';
import { Button } from '../../base/components/Button';
import { ComboField } from '../../base/components/Combobox';
import { Dialog } from '../../base/components/Dialog';
import { TextField } from '../../base/components/Field';
import { Notice } from '../../base/components/States';
import { say } from '../../base/components/Toasts';
import { session } from '../../base/session';
import { useStore } from '../../base/store';
import { t } from '../../base/text';
import type { GitRepo, Release } from '../model';
import { linesOf, tally, viewOf, type PlanView as Plan } from './plan';
import { PlanView } from './PlanView';

const GIT = 'git';

interface Props {
  projectId: string;
  repository: GitRepo | null;
  /** Earlier release to roll back to. */
  rollback?: Release | undefined;
  fromGit: boolean;
  close: () => void;
  done: () => void;
}

export function ReleaseDialog({ projectId, repository, rollback, fromGit, close, done }: Props) {
  const projects = useStore(session, (now) => (now.state === 'in' ? now.projects : [])).filter(
    (each) => each.id !== projectId,
  );
  const options = [
    ...(repository ? [{ value: GIT, label: t('releases.source.git', { url: repository.remoteUrl }) }] : []),
    ...projects.map((each) => ({ value: each.id, label: each.displayName })),
  ];
  const [source, setSource] = useState(
    fromGit && repository ? GIT : (options.find((option) => option.value !== GIT)?.value ?? options[0]?.value ?? ''),
  );
  const [name, setName] = useState('');
  const [description, setDescription] = useState('');
  const [plan, setPlan] = useState<Plan>();
  const [left, setLeft] = useState<ReadonlySet<string>>(new Set());
  const [failure, setFailure] = useState<Failure>();
  const [busy, setBusy] = useState(false);
  const from = (
    rollback
      ? { projectId, type: 'ROLLBACK', projectReleaseId: rollback.id }
      : source === GIT
        ? { projectId, type: 'GIT' }
        : { projectId, type: 'PROJECT', targetProjectId: source }
  ) as ReleaseSource;
  const compare = async (): Promise<void> => {
    setBusy(true);
    const planned = await api('POST /v1/project-releases/diff', { body: from });
    setBusy(false);
    setFailure(planned.ok ? undefined : planned.failure);
    if (planned.ok) {
      setPlan(viewOf(planned.value));
    }
  };
  const land = async (): Promise<void> => {
    setBusy(true);
    const chosen =
      left.size === 0
        ? {}
        : {
            selectedFlowsIds: plan!.flows.flatMap(({ flowId }) =>
              flowId !== undefined && !left.has(flowId) ? [flowId] : [],
            ),
          };
    const body: NewRelease = { name: name.trim(), description: description.trim() || null, ...chosen };
    const landed = await reliably('POST /v1/project-releases', { body: { ...from, ...body } });
    setBusy(false);
    setFailure(landed.ok ? undefined : landed.failure);
    if (landed.ok) {
      say(t('releases.done', { name: name.trim() }));
      done();
      close();
    }
  };
  const lines = plan ? linesOf(plan) : [];
  const title = plan
    ? t('releases.title')
    : rollback
      ? t('releases.rollback.title', { name: rollback.name })
      : t('releases.new');
  return (
    <Dialog title={title} onClose={close} wide={plan ? 760 : 460}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          void (plan ? land() : compare());
        }}>
        <div class="body">
          {plan ? (
            <>
              <p role="status">
                {lines.length === 0
                  ? t('releases.nothing')
                  : t('releases.summary', {
                      created: tally(lines, 'create'),
                      updated: tally(lines, 'update'),
                      deleted: tally(lines, 'delete'),
                    })}
              </p>
              <PlanView
                plan={plan}
                left={left}
                comparable={!rollback && source !== GIT}
                onLeave={(flowId, isLeft) =>
                  setLeft(new Set(isLeft ? [...left, flowId] : [...left].filter((id) => id !== flowId)))
                }
              />
              <TextField
                label={t('releases.name')}
                value={name}
                onValue={setName}
                problem={failure?.fields['name']}
                control={{ name: 'name', maxLength: 255, autocomplete: 'off' }}
              />
              <TextField
                label={t('releases.description')}
                optional
                value={description}
                onValue={setDescription}
                control={{ name: 'description', autocomplete: 'off' }}
              />
            </>
          ) : rollback ? null : options.length === 0 ? (
            <Notice tone="amber">{t('releases.source.none')}</Notice>
          ) : (
            <ComboField label={t('releases.source')} value={source} onValue={setSource} options={options} />
          )}
          {failure && Object.keys(failure.fields).length === 0 ? <Notice failure={failure} /> : null}
        </div>
        <footer>
          {plan ? (
            <Button onClick={() => setPlan(undefined)}>{t('releases.back')}</Button>
          ) : (
            <Button onClick={close}>{t('base.cancel')}</Button>
          )}
          {plan ? (
            <Button kind="primary" type="submit" icon="rocket" busy={busy} disabled={name.trim() === ''}>
              {t('releases.submit')}
            </Button>
          ) : (
            <Button kind="primary" type="submit" busy={busy} disabled={!rollback && source === ''}>
              {t('releases.compare')}
            </Button>
          )}
        </footer>
      </form>
    </Dialog>
  );
}
