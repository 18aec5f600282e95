import { useState } from 'preact/hooks';
import { api } from '../base/api/client';
import { useCommands } from '../base/commands';
import { Button } from '../base/components/Button';
import { DataTable, type Column } from '../base/components/DataTable';
import { SearchField } from '../base/components/Field';
import { Icon } from '../base/components/Icon';
import { Menu } from '../base/components/Menu';
import { deletion, RowMenu } from '../base/components/RowMenu';
import { Empty } from '../base/components/States';
import { askIf, useMay } from '../base/permissions';
import { useQuery, useRows } from '../base/query';
import { linkTo, narrow, usePlace } from '../base/router';
import { t } from '../base/text';
import { ago } from '../base/time';
import { Folders } from '../flows/Folders';
import { FlowDialogs, type Asked as FolderAsked } from '../flows/FlowDialogs';
import { Page } from '../frame/Page';
import { exportTable, exportTemplate } from './actions';
import type { Folder, Table } from './model';
import { TableDialogs, type Asked } from './TableDialogs';

const ROWS = 50;
const FOLDERS_MAX = 200;

export default function TablesPage({ params }: { params: Record<string, string> }) {
  const projectId = params['projectId']!;
  const { query } = usePlace();
  const [folder, name] = [query.get('folder') ?? '', query.get('name') ?? ''];
  const hasFolders = useMay('READ_FLOW');
  const [asked, setAsked] = useState<Asked>();
  const [folderAsked, setFolderAsked] = useState<FolderAsked>();
  const tables = useRows<Table>(`tables ${projectId} ${folder} ${name}`, (cursor, signal) =>
    api('GET /v1/tables', {
      query: { projectId, limit: ROWS, cursor, name: name || undefined, folderId: folder || undefined },
      signal,
    }),
  );
  const folders = useQuery<Folder[]>(`folders ${projectId}`, async (signal) => {
    const page = await askIf('READ_FLOW', () =>
      api('GET /v1/folders', { query: { projectId, limit: FOLDERS_MAX }, signal }),
    );
    return page.ok ? { ok: true, value: page.value.data as Folder[] } : page;
  });
  const changed = (): void => {
    tables.reload();
    folders.reload();
  };
  useCommands(
    [
      {
        id: 'new-table',
        label: t('tables.new'),
        icon: 'plus',
        keys: 'c',
        needs: 'WRITE_TABLE',
        perform: () => setAsked({ what: 'new', folderId: folder }),
      },
      {
        id: 'import-table',
        label: t('tables.fromFile'),
        icon: 'upload',
        needs: 'WRITE_TABLE',
        perform: () => setAsked({ what: 'file', folderId: folder }),
      },
    ],
    [folder],
  );
  const actions = (
    <Menu
      label={t('tables.new')}
      groups={[
        {
          items: [
            {
              label: t('tables.new.empty'),
              icon: 'plus',
              shortcut: 'c',
              needs: 'WRITE_TABLE',
              perform: () => setAsked({ what: 'new', folderId: folder }),
            },
            {
              label: t('tables.new.file'),
              icon: 'upload',
              needs: 'WRITE_TABLE',
              perform: () => setAsked({ what: 'file', folderId: folder }),
            },
          ],
        },
      ]}
      button={(wiring) => (
        <button class="button primary" type="button" {...wiring}>
          <Icon name="plus" />
          {t('tables.new')}
        </button>
      )}
    />
  );
  return (
    <Page title={t('tables.title')} actions={actions}>
      <div class={hasFolders ? 'flows' : undefined}>
        {hasFolders ? (
          <Folders
            projectId={projectId}
            area="tables"
            folders={folders.value ?? []}
            chosen={folder}
            ask={setFolderAsked}
          />
        ) : null}
        <div class="flows-list">
          <SearchField label={t('tables.search')} value={name} onValue={(value) => narrow({ name: value })} />
          <DataTable
            label={t('tables.title')}
            rows={tables}
            columns={columnsOf(projectId, folders.value ?? [], setAsked)}
            id={(table) => table.id}
            empty={
              <div class="card">
                <Nothing name={name} folder={folder} ask={setAsked} />
              </div>
            }
          />
        </div>
      </div>
      {asked ? (
        <TableDialogs
          asked={asked}
          projectId={projectId}
          folders={folders.value ?? []}
          close={() => setAsked(undefined)}
          changed={changed}
        />
      ) : null}
      {folderAsked ? (
        <FlowDialogs
          asked={folderAsked}
          projectId={projectId}
          folders={folders.value ?? []}
          close={() => setFolderAsked(undefined)}
          changed={changed}
        />
      ) : null}
    </Page>
  );
}

function columnsOf(projectId: string, folders: Folder[], ask: (asked: Asked) => void): Column<Table>[] {
  return [
    {
      key: 'name',
      title: t('tables.name'),
      cell: (table) => (
        <a class="table-name cut row-link" {...linkTo(`/projects/${projectId}/tables/${table.id}`)}>
          <Icon name="table" />
          {table.name}
        </a>
      ),
    },
    ...(folders.length > 0
      ? [
          {
            key: 'folder',
            title: t('tables.folder'),
            width: '160px',
            wideOnly: true,
            cell: (table: Table) => (
              <span class="faint cut">{folders.find((folder) => folder.id === table.folderId)?.displayName}</span>
            ),
          },
        ]
      : []),
    {
      key: 'changed',
      title: t('flows.column.changed'),
      width: '132px',
      wideOnly: true,
      cell: (table) => <span class="faint">{ago(table.updated, Date.now())}</span>,
    },
    {
      key: 'menu',
      title: t('base.more'),
      hidden: true,
      width: '56px',
      cell: (table) => (
        <RowMenu
          name={table.name}
          groups={[
            {
              items: [
                {
                  label: t('base.rename'),
                  icon: 'pencil',
                  needs: 'WRITE_TABLE',
                  perform: () => ask({ what: 'rename', table }),
                },
                {
                  label: t('flows.move'),
                  icon: 'folder-input',
                  needs: 'WRITE_TABLE',
                  perform: () => ask({ what: 'move', table }),
                },
                { label: t('tables.export'), icon: 'download', perform: () => exportTable(table) },
                { label: t('tables.template'), icon: 'file-json', perform: () => exportTemplate(table) },
              ],
            },
            { items: [deletion(() => ask({ what: 'delete', table }), 'WRITE_TABLE')] },
          ]}
        />
      ),
    },
  ];
}

function Nothing({ name, folder, ask }: { name: string; folder: string; ask: (asked: Asked) => void }) {
  if (name) {
    return <Empty icon="search" title={t('flows.none.title')} text={t('tables.none.text', { text: name })} />;
  }
  if (folder) {
    return (
      <Empty
        icon="folder-open"
        title={t('tables.emptyFolder.title')}
        text={t('tables.emptyFolder.text')}
        needs="WRITE_TABLE"
      />
    );
  }
  return (
    <Empty
      icon="table"
      title={t('tables.empty.title')}
      text={t('tables.empty.text')}
      needs="WRITE_TABLE"
      readerText={t('tables.empty.reader')}>
      <Button icon="plus" needs="WRITE_TABLE" onClick={() => ask({ what: 'new', folderId: '' })}>
        {t('tables.new.empty')}
      </Button>
      <Button icon="upload" needs="WRITE_TABLE" onClick={() => ask({ what: 'file', folderId: '' })}>
        {t('tables.new.file')}
      </Button>
    </Empty>
  );
}
