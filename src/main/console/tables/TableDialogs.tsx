import { useState } from 'preact/hooks';
import { api } from '../base/api/client';
import type { Failure } from '../base/api/failure';
import { reliably } from '../base/api/reliably';
import { Button } from '../base/components/Button';
import { FormDialog } from '../base/components/Dialog';
import { TextField } from '../base/components/Field';
import { say } from '../base/components/Toasts';
import { navigate } from '../base/router';
import { t } from '../base/text';
import { FolderField } from '../flows/FolderField';
import { tableOf } from './actions';
import type { Work } from './data/progress';
import { FilePreview } from './grid/FilePreview';
import { useTableFile } from './grid/useTableFile';
import type { Folder, Table } from './model';

export type Asked = { what: 'new' | 'file'; folderId: string } | { what: 'rename' | 'move' | 'delete'; table: Table };

interface Props {
  asked: Asked;
  projectId: string;
  folders: Folder[];
  close: () => void;
  changed: () => void;
}

const NAME_LENGTH_MAX = 255;

export function TableDialogs(props: Props) {
  const { asked } = props;
  switch (asked.what) {
    case 'new':
      return <NewDialog {...props} folderId={asked.folderId} />;
    case 'file':
      return <FileDialog {...props} folderId={asked.folderId} />;
    case 'rename':
      return <RenameDialog {...props} table={asked.table} />;
    case 'move':
      return <MoveDialog {...props} table={asked.table} />;
    case 'delete':
      return <DeleteDialog {...props} table={asked.table} />;
  }
}

const realFolder = (id: string): string | undefined => (id === '' || id === 'NULL' ? undefined : id);

const NameField = ({
  value,
  onValue,
  problem,
}: {
  value: string;
  onValue: (value: string) => void;
  problem: string | undefined;
}) => (
  <TextField
    label={t('tables.name')}
    value={value}
    onValue={onValue}
    problem={problem}
    control={{ name: 'name', maxLength: NAME_LENGTH_MAX, autocomplete: 'off' }}
  />
);

function NewDialog({ projectId, folderId, close }: Props & { folderId: string }) {
  const [name, setName] = useState('');
  const perform = async (): Promise<Failure | undefined> => {
    const folder = realFolder(folderId);
    const made = await reliably('POST /v1/tables', {
      body: {
        projectId,
        name: name.trim(),
        fields: [{ name: t('tables.name'), type: 'TEXT' }],
        ...(folder ? { folderId: folder } : {}),
      },
    });
    if (made.ok) {
      navigate(`/projects/${projectId}/tables/${made.value.id}`);
    }
    return made.ok ? undefined : made.failure;
  };
  return (
    <FormDialog
      title={t('tables.new')}
      submit={t('base.create')}
      onClose={close}
      perform={perform}
      disabled={name.trim() === ''}>
      {(problems) => <NameField value={name} onValue={setName} problem={problems['name']} />}
    </FormDialog>
  );
}

function FileDialog({ projectId, folderId, close }: Props & { folderId: string }) {
  const [name, setName] = useState('');
  const [work, setWork] = useState<Work>();
  const chosen = useTableFile();
  const perform = async (): Promise<Failure | undefined> => {
    const made = await tableOf(name.trim(), chosen.read!, projectId, realFolder(folderId), setWork);
    setWork(undefined);
    if ('status' in made && 'requestId' in made) {
      return made;
    }
    navigate(`/projects/${projectId}/tables/${(made as Table).id}`);
    return undefined;
  };
  return (
    <FormDialog
      title={t('tables.fromFile')}
      submit={t('base.create')}
      onClose={close}
      perform={perform}
      disabled={!chosen.read || name.trim() === ''}>
      {(problems) => (
        <>
          <FilePreview
            chosen={chosen}
            onFile={(file) =>
              setName((now) => now || (file?.name ?? '').replace(/\.\w+$/, '').slice(0, NAME_LENGTH_MAX))
            }
          />
          <NameField value={name} onValue={setName} problem={problems['name']} />
          {work ? (
            <p role="status" class="row">
              <span class="spread">{t('tables.file.progress', { done: work.done, total: work.total })}</span>
              <Button onClick={work.stop}>{t('base.cancel')}</Button>
            </p>
          ) : null}
        </>
      )}
    </FormDialog>
  );
}

function RenameDialog({ table, close, changed }: Props & { table: Table }) {
  const [name, setName] = useState(table.name);
  const perform = async (): Promise<Failure | undefined> => {
    const renamed = await api('POST /v1/tables/{id}', { path: { id: table.id }, body: { name: name.trim() } });
    if (renamed.ok) {
      changed();
    }
    return renamed.ok ? undefined : renamed.failure;
  };
  return (
    <FormDialog
      title={t('flows.rename.title', { name: table.name })}
      submit={t('base.rename')}
      onClose={close}
      perform={perform}
      disabled={name.trim() === ''}>
      {(problems) => <NameField value={name} onValue={setName} problem={problems['name']} />}
    </FormDialog>
  );
}

function MoveDialog({ table, folders, close, changed }: Props & { table: Table }) {
  const [folder, setFolder] = useState(table.folderId ?? '');
  const perform = async (): Promise<Failure | undefined> => {
    const moved = await api('POST /v1/tables/{id}', {
      path: { id: table.id },
      body: { folderId: folder === '' ? null : folder },
    });
    if (moved.ok) {
      say(t('flows.moved', { name: table.name }));
      changed();
    }
    return moved.ok ? undefined : moved.failure;
  };
  return (
    <FormDialog
      title={t('flows.move.title', { name: table.name })}
      submit={t('base.save')}
      onClose={close}
      perform={perform}>
      {() => <FolderField folders={folders} value={folder} onValue={setFolder} />}
    </FormDialog>
  );
}

function DeleteDialog({ table, close, changed }: Props & { table: Table }) {
  const perform = async (): Promise<Failure | undefined> => {
    const gone = await api('DELETE /v1/tables/{id}', { path: { id: table.id } });
    if (gone.ok) {
      say(t('flows.deleted', { name: table.name }));
      changed();
    }
    return gone.ok ? undefined : gone.failure;
  };
  return (
    <FormDialog
      danger
      title={t('flows.delete.title', { name: table.name })}
      submit={t('base.delete')}
      onClose={close}
      perform={perform}>
      {() => <p>{t('tables.delete.text')}</p>}
    </FormDialog>
  );
}
