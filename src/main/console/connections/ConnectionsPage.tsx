import { useState } from 'preact/hooks';
import { api, type Answer } from '../base/api/client';
import { DataTable, type Column } from '../base/components/DataTable';
import { Button } from '../base/components/Button';
import { FormDialog } from '../base/components/Dialog';
import { SearchField } from '../base/components/Field';
import { Badge, Empty } from '../base/components/States';
import { Tabs } from '../base/components/Tabs';
import { say } from '../base/components/Toasts';
import { useRows } from '../base/query';
import { narrow, usePlace } from '../base/router';
import { count, t, type TextKey } from '../base/text';
import { ago } from '../base/time';
import { Page } from '../frame/Page';
import { pieceTitle } from '../builder/canvas/pieces';

type Connection = Answer<'POST /v1/app-connections'>;
type Variable = Answer<'POST /v1/variables'>;

/** What has a name and can be deleted. */
interface Doomed {
  name: string;
  text: string;
  remove: () => ReturnType<typeof removal>;
}

const ROWS = 50;

/** The connections of a project, and its variables. */
export default function ConnectionsPage({ params }: { params: Record<string, string> }) {
  const projectId = params['projectId']!;
  const { query } = usePlace();
  const view = query.get('view') === 'variables' ? 'variables' : 'connections';
  const name = query.get('name') ?? '';
  return (
    <Page title={t('nav.connections')}>
      <Tabs label={t('connections.view')} chosen={view} onChoose={(key) => narrow({ view: key === 'connections' ? '' : key, name: '' })}
        tabs={[{ key: 'connections', label: t('nav.connections') }, { key: 'variables', label: t('connections.variables') }]}>
        <div class="connections">
          <SearchField label={t('connections.search')} value={name} onValue={(value) => narrow({ name: value })} />
          {view === 'variables' ? <Variables projectId={projectId} name={name} /> : <Connections projectId={projectId} name={name} />}
        </div>
      </Tabs>
    </Page>
  );
}

function Connections({ projectId, name }: { projectId: string; name: string }) {
  const rows = useRows<Connection>(`connections ${projectId} ${name}`, (cursor, signal) => api('GET /v1/app-connections', {
    query: { projectId, limit: ROWS, cursor, displayName: name || undefined }, signal,
  }) as never);
  const [doomed, doom] = useState<Doomed>();
  const columns: Column<Connection>[] = [
    { key: 'name', title: t('flows.column.name'), cell: (each) => <div class="flow-name"><strong class="cut">{each.displayName}</strong><span class="row faint">{pieceTitle(each.pieceName)}</span></div> },
    { key: 'type', title: t('connections.type'), width: '140px', wideOnly: true, cell: (each) => t(`connections.type.${each.type}` as TextKey) },
    { key: 'status', title: t('flows.column.status'), width: '120px', cell: (each) => <Status status={each.status} /> },
    { key: 'used', title: t('connections.used'), width: '112px', wideOnly: true, cell: (each) => <span class="faint">{each.flowIds.length === 0 ? t('connections.unused') : count('connections.flows', each.flowIds.length)}</span> },
    { key: 'changed', title: t('flows.column.changed'), width: '124px', wideOnly: true, cell: (each) => <span class="faint">{ago(each.updated, Date.now())}</span> },
    { key: 'delete', title: t('base.delete'), hidden: true, width: '56px', cell: (each) => each.scope === 'PLATFORM' ? null : (
      <Button kind="quiet" size="small" icon="trash-2" label={t('connections.delete', { name: each.displayName })} onClick={() => doom({
        name: each.displayName,
        text: each.flowIds.length > 0 ? count('connections.delete.used', each.flowIds.length) : t('connections.delete.unused'),
        remove: () => removal(api('DELETE /v1/app-connections/{id}', { path: { id: each.id } })),
      })} />
    ) },
  ];
  return (
    <>
      <DataTable label={t('nav.connections')} rows={rows} columns={columns} id={(each) => each.id} empty={<div class="card">{name
        ? <Empty icon="search" title={t('flows.none.title')} text={t('connections.none', { text: name })} />
        : <Empty icon="plug" title={t('connections.empty.title')} text={t('connections.empty.text')} />}</div>} />
      {doomed ? <DeleteDialog doomed={doomed} close={() => doom(undefined)} changed={rows.reload} /> : null}
    </>
  );
}

function Variables({ projectId, name }: { projectId: string; name: string }) {
  const rows = useRows<Variable>(`variables ${projectId} ${name}`, (cursor, signal) => api('GET /v1/variables', {
    query: { projectId, limit: ROWS, cursor, name: name || undefined }, signal,
  }) as never);
  const [doomed, doom] = useState<Doomed>();
  const columns: Column<Variable>[] = [
    { key: 'name', title: t('flows.column.name'), cell: (each) => <code class="cut">{each.name}</code> },
    { key: 'changed', title: t('flows.column.changed'), width: '124px', wideOnly: true, cell: (each) => <span class="faint">{ago(each.updated, Date.now())}</span> },
    { key: 'delete', title: t('base.delete'), hidden: true, width: '56px', cell: (each) => (
      <Button kind="quiet" size="small" icon="trash-2" label={t('connections.delete', { name: each.name })} onClick={() => doom({
        name: each.name, text: t('connections.delete.variable'), remove: () => removal(api('DELETE /v1/variables/{id}', { path: { id: each.id } })),
      })} />
    ) },
  ];
  return (
    <>
      <DataTable label={t('connections.variables')} rows={rows} columns={columns} id={(each) => each.id}
        empty={<div class="card"><Empty icon="variable" title={t('connections.noVariables.title')} text={t('connections.noVariables.text')} /></div>} />
      {doomed ? <DeleteDialog doomed={doomed} close={() => doom(undefined)} changed={rows.reload} /> : null}
    </>
  );
}

const removal = async (answer: ReturnType<typeof api<'DELETE /v1/variables/{id}'>>) => {
  const gone = await answer;
  return gone.ok ? undefined : gone.failure;
};

function DeleteDialog({ doomed, close, changed }: { doomed: Doomed; close: () => void; changed: () => void }) {
  return (
    <FormDialog danger title={t('flows.delete.title', { name: doomed.name })} submit={t('base.delete')} onClose={close} perform={async () => {
      const refusal = await doomed.remove();
      if (!refusal) {
        say(t('flows.deleted', { name: doomed.name }));
        changed();
      }
      return refusal;
    }}>
      {() => <p>{doomed.text}</p>}
    </FormDialog>
  );
}

function Status({ status }: { status: Connection['status'] }) {
  switch (status) {
    case 'ACTIVE': return <Badge tone="green" icon="circle-check">{t('connections.status.ACTIVE')}</Badge>;
    case 'MISSING': return <Badge tone="amber" icon="unplug">{t('connections.status.MISSING')}</Badge>;
    case 'ERROR': return <Badge tone="red" icon="circle-x">{t('connections.status.ERROR')}</Badge>;
  }
}
