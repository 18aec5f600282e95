import { useState } from 'preact/hooks';
import { api } from '../../base/api/client';
import { Button } from '../../base/components/Button';
import { ConfirmDialog } from '../../base/components/ConfirmDialog';
import { DataTable, type Column } from '../../base/components/DataTable';
import { deletion, RowMenu } from '../../base/components/RowMenu';
import { Badge, Empty } from '../../base/components/States';
import { complain, say } from '../../base/components/Toasts';
import { useCommands } from '../../base/commands';
import { useRows } from '../../base/query';
import { count, t } from '../../base/text';
import { PlatformPage } from '../PlatformPage';
import type { SecretManager } from './model';
import { SecretManagerDialog } from './SecretManagerDialog';
import { VENDORS } from './vendors';

type Asked = { what: 'new' } | { what: 'change' | 'delete'; manager: SecretManager };

const ROWS = 50;

export default function SecretManagersPage() {
  const [asked, setAsked] = useState<Asked>();
  const begin = (): void => setAsked({ what: 'new' });
  useCommands([{ id: 'new-secret-manager', label: t('secrets.new'), icon: 'plus', keys: 'c', perform: begin }], []);
  return (
    <PlatformPage
      title={t('secrets.title')}
      actions={
        <Button kind="primary" icon="plus" onClick={begin}>
          {t('secrets.new')}
        </Button>
      }>
      {() => <Managers asked={asked} ask={setAsked} />}
    </PlatformPage>
  );
}

/** Drops cached secrets, so that the next use reads them from the manager. */
async function forget(manager?: SecretManager): Promise<void> {
  const done = await api('DELETE /v1/secret-managers/cache', { query: manager ? { connectionId: manager.id } : {} });
  if (done.ok) {
    say(t('secrets.forgotten'));
  } else {
    complain(done.failure);
  }
}

function Managers({ asked, ask }: { asked: Asked | undefined; ask: (asked: Asked | undefined) => void }) {
  const rows = useRows<SecretManager>('secret managers', (cursor, signal) =>
    api('GET /v1/secret-managers', { query: { limit: ROWS, cursor }, signal }),
  );
  const close = (): void => ask(undefined);
  const columns: Column<SecretManager>[] = [
    {
      key: 'name',
      title: t('flows.column.name'),
      cell: (each) => (
        <div class="row-name">
          <strong class="cut">{each.name}</strong>
          <span class="faint">{VENDORS[each.providerId].title}</span>
        </div>
      ),
    },
    {
      key: 'scope',
      title: t('secrets.scope'),
      width: '160px',
      wideOnly: true,
      cell: (each) =>
        each.scope === 'PLATFORM' ? t('secrets.everywhere') : count('secrets.projects', each.projectIds?.length ?? 0),
    },
    {
      key: 'status',
      title: t('flows.column.status'),
      width: '140px',
      cell: (each) =>
        each.connection.connected ? (
          <Badge tone="green" icon="circle-check">
            {t('secrets.connected')}
          </Badge>
        ) : (
          <Badge tone="red" icon="circle-x">
            {t('secrets.unreachable')}
          </Badge>
        ),
    },
    {
      key: 'menu',
      title: t('base.more'),
      hidden: true,
      width: '56px',
      cell: (manager) => (
        <RowMenu
          name={manager.name}
          groups={[
            {
              items: [
                { label: t('secrets.change'), icon: 'pencil', perform: () => ask({ what: 'change', manager }) },
                { label: t('secrets.forget'), icon: 'refresh-cw', perform: () => forget(manager) },
              ],
            },
            { items: [deletion(() => ask({ what: 'delete', manager }))] },
          ]}
        />
      ),
    },
  ];
  return (
    <>
      <p class="faint">{t('secrets.text')}</p>
      <DataTable
        label={t('secrets.title')}
        rows={rows}
        columns={columns}
        id={(each) => each.id}
        empty={
          <div class="card">
            <Empty icon="shield-check" title={t('secrets.none')} text={t('secrets.noneText')}>
              <Button icon="plus" onClick={() => ask({ what: 'new' })}>
                {t('secrets.new')}
              </Button>
            </Empty>
          </div>
        }
      />
      {asked?.what === 'new' ? <SecretManagerDialog close={close} changed={rows.reload} /> : null}
      {asked?.what === 'change' ? (
        <SecretManagerDialog manager={asked.manager} close={close} changed={rows.reload} />
      ) : null}
      {asked?.what === 'delete' ? (
        <ConfirmDialog
          title={t('flows.delete.title', { name: asked.manager.name })}
          text={t('secrets.deleteText')}
          done={t('flows.deleted', { name: asked.manager.name })}
          perform={() => api('DELETE /v1/secret-managers/{id}', { path: { id: asked.manager.id } })}
          close={close}
          changed={rows.reload}
        />
      ) : null}
    </>
  );
}
