import { useState } from 'preact/hooks';
import { reliably } from '../base/api/reliably';
import { FormDialog } from '../base/components/Dialog';
import { TextField } from '../base/components/Field';
import { navigate } from '../base/router';
import { reloadProjects } from '../base/session';
import { t } from '../base/text';

export function NewProjectDialog({ close }: { close: () => void }) {
  const [displayName, setDisplayName] = useState('');
  return (
    <FormDialog
      title={t('settings.newProject')}
      submit={t('base.create')}
      onClose={close}
      disabled={displayName.trim() === ''}
      perform={async () => {
        const made = await reliably('POST /v1/projects', { body: { displayName: displayName.trim() } });
        if (!made.ok) {
          return made.failure;
        }
        await reloadProjects();
        navigate(`/projects/${made.value.id}/flows`);
        return undefined;
      }}>
      {(problems) => (
        <TextField
          label={t('settings.name')}
          value={displayName}
          onValue={setDisplayName}
          help={t('settings.newProject.help')}
          problem={problems['displayName']}
          control={{ name: 'displayName', maxLength: 255, autocomplete: 'off' }}
        />
      )}
    </FormDialog>
  );
}
