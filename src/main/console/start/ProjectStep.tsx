import { useState } from 'preact/hooks';
import { api } from '../base/api/client';
import type { Failure } from '../base/api/failure';
import { Button } from '../base/components/Button';
import { TextField } from '../base/components/Field';
import { Notice } from '../base/components/States';
import { reloadProjects, type Project } from '../base/session';
import { t } from '../base/text';
import { Gate } from './Gate';

/** The name of the project that came with the account. */
export function ProjectStep({ project, done }: { project: Project; done: () => void }) {
  const [name, setName] = useState(project.displayName);
  const [failure, refuse] = useState<Failure>();
  const [busy, work] = useState(false);
  const submit = async (event: Event): Promise<void> => {
    event.preventDefault();
    work(true);
    const answer = await api('POST /v1/projects/{id}', { path: { id: project.id }, body: { displayName: name.trim() } });
    if (answer.ok) {
      await reloadProjects();
      done();
    } else {
      refuse(answer.failure);
      work(false);
    }
  };
  return (
    <Gate title={t('start.project.title')} text={t('start.project.text')} step={t('start.step', { n: 2 })}>
      <form class="column" onSubmit={submit}>
        <TextField label={t('start.project.name')} value={name} onValue={setName} problem={failure?.fields['displayName']}
          control={{ name: 'displayName', required: true, maxLength: 100, autofocus: true }} />
        {failure && !failure.fields['displayName'] ? <Notice failure={failure} /> : null}
        <Button kind="primary" size="wide" type="submit" busy={busy} disabled={name.trim() === ''}>{t('start.project.submit')}</Button>
      </form>
    </Gate>
  );
}
