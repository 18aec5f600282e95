import { api, type Answer } from '../../base/api/client';
import { DataTable, type Column } from '../../base/components/DataTable';
import { Dialog } from '../../base/components/Dialog';
import { Badge, Empty } from '../../base/components/States';
import { useRows } from '../../base/query';
import { count, t } from '../../base/text';
import { ago } from '../../base/time';
import { worded, type Destination } from './model';

type Delivery = {
  id: string;
  created: string;
  action: string;
  status: 'PENDING' | 'DELIVERED' | 'FAILED';
  attempts: number;
  nextAttempt: string | null;
  failure: string | null;
};
type Listed = Answer<'GET /v1/event-destinations/{id}/deliveries'>;

const ROWS = 20;

export function DeliveriesDialog({ destination, close }: { destination: Destination; close: () => void }) {
  const rows = useRows<Delivery>(
    `deliveries ${destination.id}`,
    (cursor, signal) =>
      api('GET /v1/event-destinations/{id}/deliveries', {
        path: { id: destination.id },
        query: { limit: ROWS, cursor },
        signal,
      }) as Promise<never> & Promise<Listed>,
  );
  const columns: Column<Delivery>[] = [
    {
      key: 'event',
      title: t('events.event'),
      cell: (each) => (
        <div class="row-name">
          <span class="cut">{worded(each.action)}</span>
          <span class="faint">{ago(each.created, Date.now())}</span>
        </div>
      ),
    },
    { key: 'status', title: t('flows.column.status'), width: '130px', cell: (each) => <Status status={each.status} /> },
    {
      key: 'why',
      title: t('events.attempts'),
      width: '220px',
      wideOnly: true,
      cell: (each) => <span class="faint">{each.failure ?? count('events.tries', each.attempts)}</span>,
    },
  ];
  return (
    <Dialog title={t('events.deliveries')} onClose={close} wide={720}>
      <div class="body">
        <DataTable
          label={t('events.deliveries')}
          rows={rows}
          columns={columns}
          id={(each) => each.id}
          empty={<Empty icon="send" title={t('events.noDelivery')} text={t('events.noDeliveryText')} />}
        />
      </div>
    </Dialog>
  );
}

function Status({ status }: { status: Delivery['status'] }) {
  switch (status) {
    case 'DELIVERED':
      return (
        <Badge tone="green" icon="circle-check">
          {t('events.delivered')}
        </Badge>
      );
    case 'PENDING':
      return (
        <Badge tone="amber" icon="clock">
          {t('events.pending')}
        </Badge>
      );
    case 'FAILED':
      return (
        <Badge tone="red" icon="circle-x">
          {t('events.failed')}
        </Badge>
      );
  }
}
