import { useState } from 'preact/hooks';
import { api, type Answer } from '../../base/api/client';
import { DataTable, type Column } from '../../base/components/DataTable';
import { Button } from '../../base/components/Button';
import { Dialog } from '../../base/components/Dialog';
import { Facts } from '../../base/components/Panel';
import { Empty } from '../../base/components/States';
import { useRows } from '../../base/query';
import { usePlace } from '../../base/router';
import { t } from '../../base/text';
import { moment } from '../../base/time';
import { JsonView } from '../../runs/JsonView';
import { subjectOf, worded } from '../events/model';
import { PlatformPage } from '../PlatformPage';
import { AuditFilters } from './AuditFilters';
import { Chain } from './Chain';
import { filterOf, isNarrowed, queryOf } from './filter';

export type AuditEvent = {
  id: string;
  created: string;
  action: string;
  projectId?: string;
  projectDisplayName?: string;
  userId?: string;
  userEmail?: string;
  ip?: string;
  data: Record<string, unknown>;
};
type Listed = Answer<'GET /v1/audit-events'>;

const ROWS = 50;

export default function AuditPage() {
  return <PlatformPage title={t('audit.title')}>{() => <Audit />}</PlatformPage>;
}

function Audit() {
  const { query } = usePlace();
  const filter = filterOf((name) => query.get(name));
  const [shown, setShown] = useState<AuditEvent>();
  const rows = useRows<AuditEvent>(
    `audit ${JSON.stringify(filter)}`,
    (cursor, signal) =>
      api('GET /v1/audit-events', {
        query: { ...queryOf(filter, Date.now()), limit: ROWS, cursor },
        signal,
      }) as Promise<never> & Promise<Listed>,
  );
  const columns: Column<AuditEvent>[] = [
    {
      key: 'what',
      title: t('audit.what'),
      cell: (event) => (
        <div class="row quiet-cell">
          <Button kind="quiet" size="small" onClick={() => setShown(event)}>
            {worded(event.action)}
          </Button>
        </div>
      ),
    },
    {
      key: 'subject',
      title: t('audit.subject'),
      width: '24%',
      wideOnly: true,
      cell: (event) => <span class="cut">{subjectOf(event.data)}</span>,
    },
    {
      key: 'who',
      title: t('audit.who'),
      width: '24%',
      wideOnly: true,
      cell: (event) => <span class="cut">{event.userEmail ?? <span class="faint">{t('audit.nobody')}</span>}</span>,
    },
    {
      key: 'project',
      title: t('audit.project'),
      width: '16%',
      roomyOnly: true,
      cell: (event) => <span class="faint cut">{event.projectDisplayName ?? ''}</span>,
    },
    {
      key: 'when',
      title: t('audit.when'),
      width: 'clamp(128px, 18vw, 220px)',
      cell: (event) => <span class="faint">{moment(event.created)}</span>,
    },
  ];
  return (
    <>
      <Chain />
      <AuditFilters filter={filter} />
      <DataTable
        label={t('audit.title')}
        rows={rows}
        columns={columns}
        id={(event) => event.id}
        empty={
          <div class="card">
            <Empty
              icon="history"
              title={t(isNarrowed(filter) ? 'flows.none.title' : 'audit.none')}
              text={t(isNarrowed(filter) ? 'audit.noneSuch' : 'audit.noneText')}
            />
          </div>
        }
      />
      {shown ? <EventDialog event={shown} close={() => setShown(undefined)} /> : null}
    </>
  );
}

function EventDialog({ event, close }: { event: AuditEvent; close: () => void }) {
  return (
    <Dialog title={worded(event.action)} onClose={close} wide={680}>
      <div class="body">
        <Facts
          facts={[
            [t('audit.when'), moment(event.created)],
            [t('audit.who'), event.userEmail ?? t('audit.nobody')],
            ...(event.projectDisplayName ? [[t('audit.project'), event.projectDisplayName] as const] : []),
            ...(event.ip ? [[t('audit.ip'), <code>{event.ip}</code>] as const] : []),
            [t('audit.id'), <code>{event.id}</code>],
          ]}
        />
        <JsonView value={event.data} label={t('audit.data')} />
      </div>
    </Dialog>
  );
}
