import { useEffect, useState } from 'preact/hooks';
import { api } from '../base/api/client';
import { SearchField, SmallSelect } from '../base/components/Field';
import { Empty } from '../base/components/States';
import { Button } from '../base/components/Button';
import { DataTable } from '../base/components/DataTable';
import { useFileDrop } from '../base/components/useFileDrop';
import { useCommands } from '../base/commands';
import { complain } from '../base/components/Toasts';
import { loadPieces } from '../builder/canvas/pieces';
import { useMay } from '../base/permissions';
import { narrow, usePlace } from '../base/router';
import { useQuery, useRows } from '../base/query';
import { t } from '../base/text';
import { Page } from '../frame/Page';
import { BulkBar } from './BulkBar';
import { Folders } from './Folders';
import { columnsOf } from './columns';
import { FlowDialogs, type Asked } from './FlowDialogs';
import { NewFlowMenu } from './NewFlowMenu';
import { useStrips } from './useStrips';
import { ORDERS, orderOf, sorted, type Flow, type Folder } from './model';

const ROWS = 50;
const SORTED_ROWS = 500;
const FOLDERS_MAX = 200;

/** Folder and query are part of the address: they can be linked and survive a reload. */
export default function FlowsPage({ params }: { params: Record<string, string> }) {
  const projectId = params['projectId']!;
  const { query } = usePlace();
  const folder = query.get('folder') ?? '';
  const name = query.get('name') ?? '';
  const status = query.get('status') ?? '';
  const order = orderOf(query.get('sort'));
  const [asked, setAsked] = useState<Asked>();
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set());
  const page = useRows<Flow>(`flows ${projectId} ${folder} ${name} ${status} ${order}`, (cursor, signal) =>
    api('GET /v1/flows', {
      query: {
        projectId,
        limit: order === '' ? ROWS : SORTED_ROWS,
        cursor,
        name: name || undefined,
        folderId: folder || undefined,
        status: status === 'ENABLED' || status === 'DISABLED' ? [status] : undefined,
      },
      signal,
    }),
  );
  const flows = page.value ? { ...page, value: sorted(page.value, order) } : page;
  const chosen = (flows.value ?? []).filter((flow) => selected.has(flow.id));
  const toggle = (flow: Flow): void => {
    const next = new Set(selected);
    if (!next.delete(flow.id)) {
      next.add(flow.id);
    }
    setSelected(next);
  };
  const folders = useQuery<Folder[]>(`folders ${projectId}`, async (signal) => {
    const page = await api('GET /v1/folders', { query: { projectId, limit: FOLDERS_MAX }, signal });
    return page.ok ? { ok: true, value: page.value.data as Folder[] } : page;
  });
  useEffect(() => void loadPieces(projectId).then((failure) => failure && complain(failure)), [projectId]);
  const strips = useStrips(projectId, flows.value);
  const changed = (): void => {
    flows.reload();
    folders.reload();
  };
  const drop = useFileDrop(useMay('WRITE_FLOW') && asked === undefined, (files) =>
    setAsked({ what: 'import', folderId: folder, files }),
  );
  useCommands(
    [
      {
        id: 'new-flow',
        label: t('flows.new'),
        icon: 'plus',
        keys: 'c',
        needs: 'WRITE_FLOW',
        perform: () => setAsked({ what: 'new', folderId: folder }),
      },
      {
        id: 'import-flow',
        label: t('flows.import.title'),
        icon: 'upload',
        needs: 'WRITE_FLOW',
        perform: () => setAsked({ what: 'import', folderId: folder }),
      },
    ],
    [folder],
  );
  return (
    <Page title={t('flows.title')} actions={<NewFlowMenu ask={setAsked} folderId={folder} />}>
      <div class="flows" {...drop}>
        <Folders projectId={projectId} folders={folders.value ?? []} chosen={folder} area="flows" ask={setAsked} />
        <div class="flows-list">
          <div class="flows-tools">
            <SearchField label={t('flows.search')} value={name} onValue={(value) => narrow({ name: value })} />
            <SmallSelect label={t('flows.filter.status')} value={status} onValue={(value) => narrow({ status: value })}>
              <option value="">{t('flows.filter.all')}</option>
              <option value="ENABLED">{t('flows.status.on')}</option>
              <option value="DISABLED">{t('flows.status.off')}</option>
            </SmallSelect>
            <SmallSelect label={t('flows.sort')} value={order} onValue={(value) => narrow({ sort: value })}>
              {ORDERS.map((each) => (
                <option key={each} value={each}>
                  {t(`flows.sort.${each || 'usual'}`)}
                </option>
              ))}
            </SmallSelect>
            {(flows.value?.length ?? 0) > 0 ? (
              <Button
                kind="quiet"
                size="small"
                onClick={() => setSelected(new Set((flows.value ?? []).map((flow) => flow.id)))}>
                {t('flows.selectAll')}
              </Button>
            ) : null}
          </div>
          {chosen.length > 0 ? (
            <BulkBar
              selected={chosen}
              folders={folders.value ?? []}
              clear={() => setSelected(new Set())}
              changed={changed}
            />
          ) : null}
          <DataTable
            label={t('flows.title')}
            rows={flows}
            columns={columnsOf({
              projectId,
              flows,
              strips,
              folders: folders.value ?? [],
              selected,
              toggle,
              ask: setAsked,
              changed,
            })}
            id={(flow) => flow.id}
            empty={
              <div class="card">
                <Nothing name={name} folder={folder} ask={setAsked} />
              </div>
            }
          />
        </div>
      </div>
      {asked ? (
        <FlowDialogs
          asked={asked}
          projectId={projectId}
          folders={folders.value ?? []}
          close={() => setAsked(undefined)}
          changed={changed}
        />
      ) : null}
    </Page>
  );
}

function Nothing({ name, folder, ask }: { name: string; folder: string; ask: (asked: Asked) => void }) {
  const mayWrite = useMay('WRITE_FLOW');
  if (name) {
    return <Empty icon="search" title={t('flows.none.title')} text={t('flows.none.text', { text: name })} />;
  }
  if (folder) {
    return (
      <Empty
        icon="folder-open"
        title={t('flows.emptyFolder.title')}
        text={t('flows.emptyFolder.text')}
        needs="WRITE_FLOW"
      />
    );
  }
  return (
    <Empty
      icon="workflow"
      title={t(mayWrite ? 'flows.empty.title' : 'flows.emptyReader.title')}
      text={t('flows.empty.text')}
      needs="WRITE_FLOW"
      readerText={t('flows.emptyReader.text')}>
      <Button icon="layout-template" needs="WRITE_FLOW" onClick={() => ask({ what: 'template', folderId: '' })}>
        {t('flows.new.template')}
      </Button>
      <Button icon="plus" needs="WRITE_FLOW" onClick={() => ask({ what: 'new', folderId: '' })}>
        {t('flows.new.empty')}
      </Button>
      <Button icon="upload" needs="WRITE_FLOW" onClick={() => ask({ what: 'import', folderId: '' })}>
        {t('flows.new.import')}
      </Button>
    </Empty>
  );
}
