import { useState } from 'preact/hooks';
import { api } from '../../base/api/client';
import { Button } from '../../base/components/Button';
import { ConfirmDialog } from '../../base/components/ConfirmDialog';
import { changedColumn } from '../../base/components/columns';
import { DataTable, type Column } from '../../base/components/DataTable';
import { deletion, RowMenu } from '../../base/components/RowMenu';
import { SecretDialog } from '../../base/components/SecretDialog';
import { Empty } from '../../base/components/States';
import { useCommands } from '../../base/commands';
import { useRows } from '../../base/query';
import { count, t } from '../../base/text';
import { PlatformPage } from '../PlatformPage';
import { DeliveriesDialog } from './DeliveriesDialog';
import { DestinationDialog } from './DestinationDialog';
import type { Destination } from './model';
import { TestDialog } from './TestDialog';

type Asked = { what: 'new' } | { what: 'change' | 'test' | 'deliveries' | 'delete'; destination: Destination };

const ROWS = 50;

export default function EventsPage() {
  const [asked, setAsked] = useState<Asked>();
  const begin = (): void => setAsked({ what: 'new' });
  useCommands([{ id: 'new-destination', label: t('events.new'), icon: 'plus', keys: 'c', perform: begin }], []);
  return (
    <PlatformPage
      title={t('events.title')}
      actions={
        <Button kind="primary" icon="plus" onClick={begin}>
          {t('events.new')}
        </Button>
      }>
      {() => <Destinations asked={asked} ask={setAsked} />}
    </PlatformPage>
  );
}

function Destinations({ asked, ask }: { asked: Asked | undefined; ask: (asked: Asked | undefined) => void }) {
  const [secret, setSecret] = useState('');
  const rows = useRows<Destination>('event destinations', (cursor, signal) =>
    api('GET /v1/event-destinations', { query: { limit: ROWS, cursor }, signal }),
  );
  const columns: Column<Destination>[] = [
    { key: 'url', title: t('events.url'), cell: (each) => <code class="cut">{each.url}</code> },
    {
      key: 'events',
      title: t('events.events'),
      width: '140px',
      cell: (each) => count('events.count', each.events.length),
    },
    changedColumn(),
    {
      key: 'menu',
      title: t('base.more'),
      hidden: true,
      width: '56px',
      cell: (destination) => (
        <RowMenu
          name={destination.url}
          groups={[
            {
              items: [
                {
                  label: t('events.deliveries'),
                  icon: 'history',
                  perform: () => ask({ what: 'deliveries', destination }),
                },
                { label: t('events.test'), icon: 'send', perform: () => ask({ what: 'test', destination }) },
                { label: t('events.change'), icon: 'pencil', perform: () => ask({ what: 'change', destination }) },
              ],
            },
            { items: [deletion(() => ask({ what: 'delete', destination }))] },
          ]}
        />
      ),
    },
  ];
  const close = (): void => ask(undefined);
  return (
    <>
      <p class="faint">{t('events.text')}</p>
      <DataTable
        label={t('events.title')}
        rows={rows}
        columns={columns}
        id={(each) => each.id}
        empty={
          <div class="card">
            <Empty icon="webhook" title={t('events.none')} text={t('events.noneText')}>
              <Button icon="plus" onClick={() => ask({ what: 'new' })}>
                {t('events.new')}
              </Button>
            </Empty>
          </div>
        }
      />
      {asked?.what === 'new' ? <DestinationDialog close={close} changed={rows.reload} made={setSecret} /> : null}
      {asked?.what === 'change' ? (
        <DestinationDialog destination={asked.destination} close={close} changed={rows.reload} made={setSecret} />
      ) : null}
      {asked?.what === 'test' ? <TestDialog destination={asked.destination} close={close} /> : null}
      {asked?.what === 'deliveries' ? <DeliveriesDialog destination={asked.destination} close={close} /> : null}
      {asked?.what === 'delete' ? (
        <ConfirmDialog
          title={t('events.deleteTitle')}
          text={t('events.deleteText', { url: asked.destination.url })}
          done={t('flows.deleted', { name: asked.destination.url })}
          perform={() => api('DELETE /v1/event-destinations/{id}', { path: { id: asked.destination.id } })}
          close={close}
          changed={rows.reload}
        />
      ) : null}
      {secret ? <SecretDialog title={t('events.secret')} secret={secret} close={() => setSecret('')} /> : null}
    </>
  );
}
