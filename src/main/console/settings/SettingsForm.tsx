import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import type { ProjectChanges } from '#api';
import { api } from '../base/api/client';
import { failure, type Failure } from '../base/api/failure';
import { Button } from '../base/components/Button';
import { Notice } from '../base/components/States';
import { say } from '../base/components/Toasts';
import { useMay } from '../base/permissions';
import { reloadProjects } from '../base/session';
import { t } from '../base/text';

interface Props {
  projectId: string;
  changes: () => { body: ProjectChanges } | { problems: Record<string, string> };
  children: (problems: Record<string, string>) => ComponentChildren;
}

export function SettingsForm({ projectId, changes, children }: Props) {
  const [refusal, setRefusal] = useState<Failure>();
  const [busy, setBusy] = useState(false);
  const mayWrite = useMay('WRITE_PROJECT');
  const save = async (event: Event): Promise<void> => {
    event.preventDefault();
    const wish = changes();
    if ('problems' in wish) {
      setRefusal(failure('FST_ERR_VALIDATION', { fields: wish.problems }));
      return;
    }
    setBusy(true);
    const saved = await api('POST /v1/projects/{id}', { path: { id: projectId }, body: wish.body });
    setBusy(false);
    setRefusal(saved.ok ? undefined : saved.failure);
    if (saved.ok) {
      await reloadProjects();
      say(t('settings.saved'));
    }
  };
  return (
    <form class="card settings-form" onSubmit={(event) => void save(event)} noValidate>
      <fieldset disabled={!mayWrite}>{children(refusal?.fields ?? {})}</fieldset>
      {refusal && Object.keys(refusal.fields).length === 0 ? <Notice failure={refusal} /> : null}
      <footer>
        <Button kind="primary" type="submit" needs="WRITE_PROJECT" busy={busy}>
          {t('base.save')}
        </Button>
      </footer>
    </form>
  );
}
