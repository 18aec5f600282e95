import { useState } from 'preact/hooks';
import { api } from '../base/api/client';
import type { Failure } from '../base/api/failure';
import { reliably } from '../base/api/reliably';
import { FormDialog } from '../base/components/Dialog';
import { TextField } from '../base/components/Field';
import { say } from '../base/components/Toasts';
import { navigate } from '../base/router';
import { t } from '../base/text';
import { operate } from './actions';
import { FolderField } from './FolderField';
import { ImportDialog } from './importing/ImportDialog';
import { TemplateDialog } from './TemplateDialog';
import type { Flow, Folder } from './model';

export type Asked =
  | { what: 'new' | 'template'; folderId: string }
  | { what: 'import'; folderId: string; files?: File[] }
  | { what: 'rename' | 'move' | 'delete'; flow: Flow }
  | { what: 'folder' }
  | { what: 'renameFolder' | 'deleteFolder'; folder: Folder };

interface Props {
  asked: Asked;
  projectId: string;
  folders: Folder[];
  close: () => void;
  changed: () => void;
}

export function FlowDialogs(props: Props) {
  const { asked } = props;
  switch (asked.what) {
    case 'new':
      return (
        <NameDialog
          {...props}
          title={t('flows.new')}
          submit={t('base.create')}
          first=""
          perform={async (displayName) => {
            const folder = asked.folderId && asked.folderId !== 'NULL' ? { folderId: asked.folderId } : {};
            const made = await reliably('POST /v1/flows', {
              body: { displayName, projectId: props.projectId, ...folder },
            });
            if (made.ok) {
              navigate(`/projects/${props.projectId}/flows/${made.value.id}`);
            }
            return made.ok ? undefined : made.failure;
          }}
        />
      );
    case 'rename':
      return (
        <NameDialog
          {...props}
          title={t('flows.rename.title', { name: asked.flow.version.displayName })}
          submit={t('base.rename')}
          first={asked.flow.version.displayName}
          perform={(displayName) => operate(asked.flow.id, 'CHANGE_NAME', { displayName })}
        />
      );
    case 'folder':
      return (
        <NameDialog
          {...props}
          title={t('flows.folder.new')}
          submit={t('base.create')}
          first=""
          perform={async (displayName) => {
            const made = await reliably('POST /v1/folders', { body: { displayName, projectId: props.projectId } });
            return made.ok ? undefined : made.failure;
          }}
        />
      );
    case 'renameFolder':
      return (
        <NameDialog
          {...props}
          title={t('flows.rename.title', { name: asked.folder.displayName })}
          submit={t('base.rename')}
          first={asked.folder.displayName}
          perform={async (displayName) => {
            const made = await api('POST /v1/folders/{id}', { path: { id: asked.folder.id }, body: { displayName } });
            return made.ok ? undefined : made.failure;
          }}
        />
      );
    case 'move':
      return <MoveDialog {...props} flow={asked.flow} />;
    case 'delete':
      return (
        <DeleteDialog
          {...props}
          title={t('flows.delete.title', { name: asked.flow.version.displayName })}
          text={t('flows.delete.text')}
          perform={async () => {
            const gone = await api('DELETE /v1/flows/{id}', { path: { id: asked.flow.id } });
            if (gone.ok) {
              say(t('flows.deleted', { name: asked.flow.version.displayName }));
            }
            return gone.ok ? undefined : gone.failure;
          }}
        />
      );
    case 'deleteFolder':
      return (
        <DeleteDialog
          {...props}
          title={t('flows.delete.title', { name: asked.folder.displayName })}
          text={t('flows.folder.deleteText', { name: asked.folder.displayName })}
          perform={async () => {
            const gone = await api('DELETE /v1/folders/{id}', { path: { id: asked.folder.id } });
            return gone.ok ? undefined : gone.failure;
          }}
        />
      );
    case 'import':
      return <ImportDialog {...props} folderId={asked.folderId} {...(asked.files ? { files: asked.files } : {})} />;
    case 'template':
      return <TemplateDialog {...props} folderId={asked.folderId} />;
  }
}

const after =
  (changed: () => void) =>
  (refusal: Failure | undefined): Failure | undefined => {
    if (!refusal) {
      changed();
    }
    return refusal;
  };

function NameDialog({
  title,
  submit,
  first,
  perform,
  close,
  changed,
}: Props & { title: string; submit: string; first: string; perform: (name: string) => Promise<Failure | undefined> }) {
  const [name, setName] = useState(first);
  return (
    <FormDialog
      title={title}
      submit={submit}
      onClose={close}
      disabled={name.trim() === ''}
      perform={async () => after(changed)(await perform(name.trim()))}>
      {(fields) => (
        <TextField
          label={t('flows.name')}
          value={name}
          onValue={setName}
          problem={fields['displayName']}
          control={{ maxLength: 255, required: true }}
        />
      )}
    </FormDialog>
  );
}

function MoveDialog({ flow, folders, close, changed }: Props & { flow: Flow }) {
  const [folder, setFolder] = useState(flow.folderId ?? '');
  const name = flow.version.displayName;
  const perform = async (): Promise<Failure | undefined> => {
    const refusal = await operate(flow.id, 'CHANGE_FOLDER', { folderId: folder === '' ? null : folder });
    if (!refusal) {
      say(t('flows.moved', { name }));
    }
    return after(changed)(refusal);
  };
  return (
    <FormDialog title={t('flows.move.title', { name })} submit={t('base.save')} onClose={close} perform={perform}>
      {() => <FolderField folders={folders} value={folder} onValue={setFolder} />}
    </FormDialog>
  );
}

function DeleteDialog({
  title,
  text,
  perform,
  close,
  changed,
}: Props & { title: string; text: string; perform: () => Promise<Failure | undefined> }) {
  return (
    <FormDialog
      danger
      title={title}
      submit={t('base.delete')}
      onClose={close}
      perform={async () => after(changed)(await perform())}>
      {() => <p>{text}</p>}
    </FormDialog>
  );
}
