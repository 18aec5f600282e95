import { useState } from 'preact/hooks';
import type { SecretManagerVendor } from '#api';
import { api } from '../../base/api/client';
import { settle, type Failure } from '../../base/api/failure';
import { reliably } from '../../base/api/reliably';
import { FormDialog } from '../../base/components/Dialog';
import { Checkbox, SelectField, TextField } from '../../base/components/Field';
import { session } from '../../base/session';
import { useStore } from '../../base/store';
import { t } from '../../base/text';
import { ListedFields } from '../ListedFields';
import type { SecretManager } from './model';
import { filled, isComplete, VENDOR_NAMES, VENDORS } from './vendors';

/** The server tests the settings before it stores them. Stored settings are never returned, so a change needs all of them again. */
export function SecretManagerDialog({
  manager,
  close,
  changed,
}: {
  manager?: SecretManager;
  close: () => void;
  changed: () => void;
}) {
  const projects = useStore(session, (now) => (now.state === 'in' ? now.projects : []));
  const [name, setName] = useState(manager?.name ?? '');
  const [providerId, setProviderId] = useState<SecretManagerVendor>(manager?.providerId ?? 'hashicorp');
  const [typed, setTyped] = useState<Record<string, string>>({});
  const [limited, setLimited] = useState(manager?.scope === 'PROJECT');
  const [projectIds, setProjectIds] = useState<string[]>(manager?.projectIds ?? []);
  const { fields } = VENDORS[providerId];
  const perform = async (): Promise<Failure | undefined> => {
    const body = {
      name: name.trim(),
      scope: limited ? 'PROJECT' : 'PLATFORM',
      ...(limited ? { projectIds } : {}),
      providerId,
      config: filled(fields, typed),
    } as const;
    const saved = manager
      ? await api('POST /v1/secret-managers/{id}', { path: { id: manager.id }, body })
      : await reliably('POST /v1/secret-managers', { body });
    return settle(saved, changed);
  };
  return (
    <FormDialog
      title={t(manager ? 'secrets.change' : 'secrets.new')}
      submit={t(manager ? 'base.save' : 'secrets.connect')}
      onClose={close}
      perform={perform}
      disabled={name.trim() === '' || !isComplete(fields, typed) || (limited && projectIds.length === 0)}>
      {(problems) => (
        <>
          <SelectField
            label={t('secrets.vendor')}
            value={providerId}
            onValue={(value) => setProviderId(value as SecretManagerVendor)}
            options={VENDOR_NAMES.map((value) => ({ value, label: VENDORS[value].title }))}
          />
          <TextField
            label={t('flows.column.name')}
            value={name}
            onValue={setName}
            problem={problems['name']}
            control={{ name: 'name' }}
          />
          <ListedFields fields={fields} typed={typed} type={setTyped} problems={problems} at="config." />
          <Checkbox label={t('secrets.limit')} checked={limited} onChange={setLimited} />
          {limited ? (
            <fieldset class="ticks many">
              <legend>{t('connections.projects')}</legend>
              {projects.map((project) => (
                <Checkbox
                  key={project.id}
                  label={project.displayName}
                  checked={projectIds.includes(project.id)}
                  onChange={(on) =>
                    setProjectIds(on ? [...projectIds, project.id] : projectIds.filter((each) => each !== project.id))
                  }
                />
              ))}
            </fieldset>
          ) : null}
        </>
      )}
    </FormDialog>
  );
}
