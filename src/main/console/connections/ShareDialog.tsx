import { useState } from 'preact/hooks';
import { api } from '../base/api/client';
import type { Failure } from '../base/api/failure';
import { FormDialog } from '../base/components/Dialog';
import { Checkbox, NameField } from '../base/components/Field';
import { session } from '../base/session';
import { useStore } from '../base/store';
import { t } from '../base/text';
import type { Connection } from './model';

export function ShareDialog({
  connection,
  close,
  changed,
}: {
  connection: Connection;
  close: () => void;
  changed: () => void;
}) {
  const projects = useStore(session, (now) => (now.state === 'in' ? now.projects : []));
  const [displayName, setDisplayName] = useState(connection.displayName);
  const [chosen, setChosen] = useState(connection.projectIds);
  const [always, setAlways] = useState(connection.preSelectForNewProjects);
  const perform = async (): Promise<Failure | undefined> => {
    const done = await api('POST /v1/global-connections/{id}', {
      path: { id: connection.id },
      body: { displayName: displayName.trim(), projectIds: chosen, preSelectForNewProjects: always },
    });
    if (done.ok) {
      changed();
    }
    return done.ok ? undefined : done.failure;
  };
  return (
    <FormDialog
      title={t('connections.shareTitle', { name: connection.displayName })}
      submit={t('base.save')}
      onClose={close}
      perform={perform}
      disabled={displayName.trim() === ''}>
      {(problems) => (
        <>
          <NameField label={t('connect.name')} value={displayName} onValue={setDisplayName} problems={problems} />
          <fieldset class="sharing">
            <legend>{t('connections.projects')}</legend>
            {projects.map((project) => (
              <Checkbox
                key={project.id}
                label={project.displayName}
                checked={chosen.includes(project.id)}
                onChange={(on) =>
                  setChosen(on ? [...chosen, project.id] : chosen.filter((each) => each !== project.id))
                }
              />
            ))}
          </fieldset>
          <Checkbox label={t('connections.always')} checked={always} onChange={setAlways} />
        </>
      )}
    </FormDialog>
  );
}
