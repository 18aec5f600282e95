import { useState } from 'preact/hooks';
import type { ApiKey } from '#api';
import { api } from '../../base/api/client';
import { Button } from '../../base/components/Button';
import { ConfirmDialog } from '../../base/components/ConfirmDialog';
import { DataTable, type Column } from '../../base/components/DataTable';
import { Badge, Empty } from '../../base/components/States';
import { useRows } from '../../base/query';
import { count, t } from '../../base/text';
import { ago, moment } from '../../base/time';

export function ApiKeyList({ turn, begin }: { turn: number; begin: () => void }) {
  const [doomed, setDoomed] = useState<ApiKey>();
  const rows = useRows<ApiKey>(`api keys ${turn}`, (_, signal) => api('GET /v1/api-keys', { signal }));
  const columns: Column<ApiKey>[] = [
    {
      key: 'name',
      title: t('flows.column.name'),
      cell: (key) => (
        <div class="row-name">
          <strong class="cut">{key.displayName}</strong>
          <code class="faint">sk-…{key.truncatedValue}</code>
        </div>
      ),
    },
    {
      key: 'scopes',
      title: t('keys.scopes'),
      width: '180px',
      wideOnly: true,
      cell: (key) => (key.scopes ? count('keys.permissions', key.scopes.length) : t('keys.everything')),
    },
    {
      key: 'expires',
      title: t('keys.expires'),
      width: '170px',
      cell: (key) => <Expiry key={key.id} at={key.expiresAt} />,
    },
    {
      key: 'used',
      title: t('keys.used'),
      width: '130px',
      wideOnly: true,
      cell: (key) => <span class="faint">{ago(key.lastUsedAt, Date.now())}</span>,
    },
    {
      key: 'delete',
      title: t('base.delete'),
      hidden: true,
      width: '56px',
      cell: (key) => (
        <Button
          kind="quiet"
          size="small"
          icon="trash-2"
          label={t('keys.deleteTitle', { name: key.displayName })}
          onClick={() => setDoomed(key)}
        />
      ),
    },
  ];
  return (
    <>
      <DataTable
        label={t('keys.api')}
        rows={rows}
        columns={columns}
        id={(key) => key.id}
        empty={
          <div class="card">
            <Empty icon="key-round" title={t('keys.noApi')} text={t('keys.apiText')}>
              <Button icon="plus" onClick={begin}>
                {t('keys.newApi')}
              </Button>
            </Empty>
          </div>
        }
      />
      {doomed ? (
        <ConfirmDialog
          title={t('keys.deleteTitle', { name: doomed.displayName })}
          text={t('keys.deleteText')}
          done={t('flows.deleted', { name: doomed.displayName })}
          perform={() => api('DELETE /v1/api-keys/{id}', { path: { id: doomed.id } })}
          close={() => setDoomed(undefined)}
          changed={rows.reload}
        />
      ) : null}
    </>
  );
}

function Expiry({ at }: { at: string | null }) {
  if (!at) {
    return <span class="faint">{t('keys.never')}</span>;
  }
  return Date.parse(at) < Date.now() ? (
    <Badge tone="red" icon="clock">
      {t('keys.expired')}
    </Badge>
  ) : (
    <span class="faint">{moment(at)}</span>
  );
}
