import type { ApiKey } from '#api';
import { api } from '../../base/api/client';
import type { Column } from '../../base/components/DataTable';
import { Badge } from '../../base/components/States';
import { useRows } from '../../base/query';
import { count, t } from '../../base/text';
import { ago, moment } from '../../base/time';
import { KeyTable } from './KeyTable';

export function ApiKeyList({ turn, begin }: { turn: number; begin: () => void }) {
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
      width: '150px',
      cell: (key) => <Expiry key={key.id} at={key.expiresAt} />,
    },
    {
      key: 'used',
      title: t('keys.used'),
      width: '130px',
      wideOnly: true,
      cell: (key) => <span class="faint">{ago(key.lastUsedAt, Date.now())}</span>,
    },
  ];
  return (
    <KeyTable
      label={t('keys.api')}
      rows={rows}
      columns={columns}
      none={{ title: t('keys.noApi'), text: t('keys.apiText'), begin: t('keys.newApi') }}
      begin={begin}
      deleteText={t('keys.deleteText')}
      remove={(key) => api('DELETE /v1/api-keys/{id}', { path: { id: key.id } })}
    />
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
