import { useState } from 'preact/hooks';
import type { Failure } from '../base/api/failure';
import { reliably } from '../base/api/reliably';
import { brand } from '../base/brand';
import { Button } from '../base/components/Button';
import { TextField } from '../base/components/Field';
import { Notice } from '../base/components/States';
import { reloadProjects } from '../base/session';
import { keepProject } from '../base/start';
import { useStore } from '../base/store';
import { t } from '../base/text';
import { Gate } from './Gate';

/** The personal project, created with the account, keeps its name. */
export function ProjectStep({ done }: { done: () => void }) {
  const platform = useStore(brand).name;
  const [name, setName] = useState('');
  const [failure, setFailure] = useState<Failure>();
  const [busy, setBusy] = useState(false);
  const submit = async (event: Event): Promise<void> => {
    event.preventDefault();
    setBusy(true);
    const answer = await reliably('POST /v1/projects', { body: { displayName: name.trim() } });
    if (answer.ok) {
      keepProject(answer.value.id);
      await reloadProjects();
      done();
    } else {
      setFailure(answer.failure);
      setBusy(false);
    }
  };
  return (
    <Gate title={t('start.project.title')} text={t('start.project.text')} step={t('start.step', { n: 2 })}>
      <form class="column" onSubmit={submit}>
        <TextField
          label={t('start.project.name')}
          value={name}
          onValue={setName}
          problem={failure?.fields['displayName']}
          control={{ name: 'displayName', required: true, maxLength: 100, autofocus: true }}
        />
        {failure && !failure.fields['displayName'] ? <Notice failure={failure} /> : null}
        <Button kind="primary" size="wide" type="submit" busy={busy} disabled={name.trim() === ''}>
          {t('start.project.submit')}
        </Button>
        {platform === 'Millrace' ? null : <p class="faint">{t('start.project.platform', { name: platform })}</p>}
      </form>
    </Gate>
  );
}
