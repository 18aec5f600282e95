import { useState } from 'preact/hooks';
import { api } from '../base/api/client';
import { failure, type Failure } from '../base/api/failure';
import { reliably } from '../base/api/reliably';
import { Button } from '../base/components/Button';
import { useCommands } from '../base/commands';
import { DataTable, type Column } from '../base/components/DataTable';
import { FormDialog } from '../base/components/Dialog';
import { TextField } from '../base/components/Field';
import { Empty } from '../base/components/States';
import { complain, say } from '../base/components/Toasts';
import { useRows } from '../base/query';
import { t } from '../base/text';
import { ago } from '../base/time';
import type { Alert } from './model';

const ROWS = 100;

export function Alerts({ projectId }: { projectId: string }) {
  const rows = useRows<Alert>(`alerts ${projectId}`, (cursor, signal) =>
    api('GET /v1/alerts', { query: { projectId, limit: ROWS, cursor }, signal }),
  );
  const [adding, setAdding] = useState(false);
  useCommands([
    {
      id: 'new-alert',
      label: t('alerts.add'),
      icon: 'bell',
      keys: 'c',
      needs: 'WRITE_ALERT',
      perform: () => setAdding(true),
    },
  ]);
  const remove = async (alert: Alert): Promise<void> => {
    const gone = await api('DELETE /v1/alerts/{id}', { path: { id: alert.id } });
    if (!gone.ok) {
      complain(gone.failure);
      return;
    }
    rows.put((all) => all.filter((each) => each.id !== alert.id));
    say(t('alerts.removed', { email: alert.receiver }), {
      label: t('base.undo'),
      perform: () =>
        void create(projectId, alert.receiver).then((refusal) => (refusal ? complain(refusal) : rows.reload())),
    });
  };
  const columns: Column<Alert>[] = [
    { key: 'receiver', title: t('alerts.receiver'), cell: (alert) => <span class="cut">{alert.receiver}</span> },
    {
      key: 'since',
      title: t('alerts.since'),
      width: '132px',
      wideOnly: true,
      cell: (alert) => <span class="faint">{ago(alert.created, Date.now())}</span>,
    },
    {
      key: 'menu',
      title: t('base.more'),
      hidden: true,
      width: '56px',
      cell: (alert) => (
        <Button
          kind="quiet"
          size="small"
          icon="trash-2"
          needs="WRITE_ALERT"
          label={t('alerts.remove', { email: alert.receiver })}
          onClick={() => remove(alert)}
        />
      ),
    },
  ];
  return (
    <>
      <div class="row settings-bar">
        <p class="faint spread">{t('alerts.text')}</p>
        <Button kind="primary" icon="plus" needs="WRITE_ALERT" onClick={() => setAdding(true)}>
          {t('alerts.add')}
        </Button>
      </div>
      <DataTable
        label={t('settings.alerts')}
        rows={rows}
        columns={columns}
        id={(alert) => alert.id}
        empty={
          <div class="card">
            <Empty icon="bell" title={t('alerts.empty.title')} text={t('alerts.empty.text')} needs="WRITE_ALERT" />
          </div>
        }
      />
      {adding ? <AddDialog projectId={projectId} close={() => setAdding(false)} added={rows.reload} /> : null}
    </>
  );
}

async function create(projectId: string, receiver: string): Promise<Failure | undefined> {
  const made = await reliably('POST /v1/alerts', { body: { projectId, channel: 'EMAIL', receiver } });
  if (!made.ok && made.failure.code === 'EXISTING_ALERT_CHANNEL') {
    return failure('FST_ERR_VALIDATION', { fields: { receiver: t('alerts.taken') } });
  }
  return made.ok ? undefined : made.failure;
}

function AddDialog({ projectId, close, added }: { projectId: string; close: () => void; added: () => void }) {
  const [receiver, setReceiver] = useState('');
  return (
    <FormDialog
      title={t('alerts.add')}
      submit={t('alerts.add')}
      onClose={close}
      disabled={receiver.trim() === ''}
      perform={async () => {
        const refusal = await create(projectId, receiver.trim());
        if (!refusal) {
          say(t('alerts.added', { email: receiver.trim() }));
          added();
        }
        return refusal;
      }}>
      {(problems) => (
        <TextField
          label={t('alerts.receiver')}
          value={receiver}
          onValue={setReceiver}
          problem={problems['receiver']}
          control={{ name: 'receiver', type: 'email', autocomplete: 'off' }}
        />
      )}
    </FormDialog>
  );
}
