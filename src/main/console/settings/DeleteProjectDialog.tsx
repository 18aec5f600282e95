import { useState } from 'preact/hooks';
import { api } from '../base/api/client';
import { FormDialog } from '../base/components/Dialog';
import { TextField } from '../base/components/Field';
import { reloadProjects } from '../base/session';
import { t } from '../base/text';
import type { Project } from './model';

/** Asks to type a confirmation, because the deletion is irreversible. */
export function DeleteProjectDialog({
  project,
  close,
  deleted,
}: {
  project: Project;
  close: () => void;
  deleted: () => void;
}) {
  const [typed, setTyped] = useState('');
  const name = project.displayName;
  return (
    <FormDialog
      danger
      title={t('settings.delete.title', { name })}
      submit={t('base.delete')}
      onClose={close}
      disabled={typed !== name}
      perform={async () => {
        const gone = await api('DELETE /v1/projects/{id}', { path: { id: project.id } });
        if (gone.ok) {
          await reloadProjects();
          deleted();
        }
        return gone.ok ? undefined : gone.failure;
      }}>
      {() => (
        <>
          <p>{t('settings.delete.text')}</p>
          <TextField
            label={t('settings.delete.type', { name })}
            value={typed}
            onValue={setTyped}
            control={{ autocomplete: 'off' }}
          />
        </>
      )}
    </FormDialog>
  );
}
