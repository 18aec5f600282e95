import { useState } from 'preact/hooks';
import { api } from '../base/api/client';
import type { Failure } from '../base/api/failure';
import { FormDialog } from '../base/components/Dialog';
import { TextField } from '../base/components/Field';
import { say } from '../base/components/Toasts';
import { navigate } from '../base/router';
import { t } from '../base/text';
import { moment } from '../base/time';
import type { Run } from './model';

const NAME_LENGTH_MAX = 255;

export function MakeTestDialog({ run, close }: { run: Run; close: () => void }) {
  const [name, setName] = useState(t('flowTests.nameOfRun', { time: moment(run.created) }));
  const perform = async (): Promise<Failure | undefined> => {
    const made = await api('POST /v1/flows/{id}/tests/from-run', {
      path: { id: run.flowId },
      body: { flowRunId: run.id, name: name.trim() },
    });
    if (!made.ok) {
      return made.failure;
    }
    say(t('flowTests.made'));
    navigate(`/projects/${run.projectId}/flows/${run.flowId}/tests?test=${encodeURIComponent(made.value.id)}`);
    return undefined;
  };
  return (
    <FormDialog
      title={t('flowTests.makeTitle')}
      submit={t('flowTests.make')}
      onClose={close}
      perform={perform}
      disabled={name.trim() === ''}>
      {(problems) => (
        <>
          <p>{t('flowTests.makeText')}</p>
          <TextField
            label={t('flowTests.name')}
            value={name}
            onValue={setName}
            problem={problems['name']}
            control={{ name: 'name', maxLength: NAME_LENGTH_MAX, autocomplete: 'off' }}
          />
        </>
      )}
    </FormDialog>
  );
}
