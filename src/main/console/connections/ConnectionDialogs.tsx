import { useState } from 'preact/hooks';
import { api } from '../base/api/client';
import type { Failure, Result } from '../base/api/failure';
import { FormDialog } from '../base/components/Dialog';
import { NameField } from '../base/components/Field';
import { say } from '../base/components/Toasts';
import { count, t } from '../base/text';
import { AgainDialog, NewDialog } from './MakeDialogs';
import type { Asked, Connection, Variable } from './model';
import { ReplaceDialog } from './ReplaceDialog';
import { ShareDialog } from './ShareDialog';
import { UsedDialog } from './UsedDialog';
import { VariableDialog } from './VariableDialog';

interface Props {
  asked: Asked;
  projectId: string;
  close: () => void;
  changed: () => void;
}

export function ConnectionDialogs({ asked, projectId, close, changed }: Props) {
  switch (asked.what) {
    case 'new':
      return <NewDialog projectId={projectId} global={asked.global} close={close} changed={changed} />;
    case 'again':
      return <AgainDialog connection={asked.connection} projectId={projectId} close={close} changed={changed} />;
    case 'rename':
      return <RenameDialog connection={asked.connection} close={close} changed={changed} />;
    case 'used':
      return <UsedDialog connection={asked.connection} projectId={projectId} close={close} />;
    case 'replace':
      return <ReplaceDialog connection={asked.connection} projectId={projectId} close={close} changed={changed} />;
    case 'share':
      return <ShareDialog connection={asked.connection} close={close} changed={changed} />;
    case 'newVariable':
      return <VariableDialog projectId={projectId} close={close} changed={changed} />;
    case 'variable':
      return <VariableDialog projectId={projectId} variable={asked.variable} close={close} changed={changed} />;
    case 'delete':
      return <DeleteDialog {...doomed(asked.connection)} close={close} changed={changed} />;
    case 'deleteVariable':
      return <DeleteDialog {...doomedVariable(asked.variable)} close={close} changed={changed} />;
  }
}

interface Doomed {
  name: string;
  text: string;
  remove: () => Promise<Result<unknown>>;
}

const doomed = (connection: Connection): Doomed => ({
  name: connection.displayName,
  text:
    connection.flowIds.length > 0
      ? count('connections.delete.used', connection.flowIds.length)
      : t('connections.delete.unused'),
  remove: () =>
    connection.scope === 'PLATFORM'
      ? api('DELETE /v1/global-connections/{id}', { path: { id: connection.id } })
      : api('DELETE /v1/app-connections/{id}', { path: { id: connection.id } }),
});

const doomedVariable = (variable: Variable): Doomed => ({
  name: variable.name,
  text: t('connections.delete.variable'),
  remove: () => api('DELETE /v1/variables/{id}', { path: { id: variable.id } }),
});

function DeleteDialog({ name, text, remove, close, changed }: Doomed & { close: () => void; changed: () => void }) {
  const perform = async (): Promise<Failure | undefined> => {
    const gone = await remove();
    if (!gone.ok) {
      return gone.failure;
    }
    say(t('flows.deleted', { name }));
    changed();
    return undefined;
  };
  return (
    <FormDialog
      danger
      title={t('flows.delete.title', { name })}
      submit={t('base.delete')}
      onClose={close}
      perform={perform}>
      {() => <p>{text}</p>}
    </FormDialog>
  );
}

function RenameDialog({
  connection,
  close,
  changed,
}: {
  connection: Connection;
  close: () => void;
  changed: () => void;
}) {
  const [displayName, setDisplayName] = useState(connection.displayName);
  const perform = async (): Promise<Failure | undefined> => {
    const renamed = await api('POST /v1/app-connections/{id}', {
      path: { id: connection.id },
      body: { displayName: displayName.trim() },
    });
    if (renamed.ok) {
      changed();
    }
    return renamed.ok ? undefined : renamed.failure;
  };
  return (
    <FormDialog
      title={t('flows.rename.title', { name: connection.displayName })}
      submit={t('base.rename')}
      onClose={close}
      perform={perform}
      disabled={displayName.trim() === ''}>
      {(problems) => (
        <NameField label={t('connect.name')} value={displayName} onValue={setDisplayName} problems={problems} />
      )}
    </FormDialog>
  );
}
