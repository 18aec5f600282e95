import { api, type Answer } from '../../base/api/client';
import { CopyButton } from '../../base/components/CopyButton';
import type { Column } from '../../base/components/DataTable';
import { useRows } from '../../base/query';
import { t } from '../../base/text';
import { ago } from '../../base/time';
import { KeyTable } from './KeyTable';

type SigningKey = Answer<'GET /v1/signing-keys/{id}'>;

export function SigningKeyList({ turn, begin }: { turn: number; begin: () => void }) {
  const rows = useRows<SigningKey>(`signing keys ${turn}`, (_, signal) => api('GET /v1/signing-keys', { signal }));
  const columns: Column<SigningKey>[] = [
    {
      key: 'name',
      title: t('flows.column.name'),
      cell: (key) => (
        <span class="row-name">
          <strong class="cut">{key.displayName}</strong>
        </span>
      ),
    },
    {
      key: 'id',
      title: t('keys.kid'),
      width: 'clamp(150px, 24vw, 280px)',
      cell: (key) => (
        <span class="row">
          <code class="cut">{key.id}</code>
          <CopyButton text={key.id} />
        </span>
      ),
    },
    {
      key: 'created',
      title: t('keys.created'),
      width: '140px',
      wideOnly: true,
      cell: (key) => <span class="faint">{ago(key.created, Date.now())}</span>,
    },
  ];
  return (
    <KeyTable
      label={t('keys.signing')}
      rows={rows}
      columns={columns}
      none={{ title: t('keys.noSigning'), text: t('keys.signingText'), begin: t('keys.newSigning') }}
      begin={begin}
      deleteText={t('keys.deleteSigning')}
      remove={(key) => api('DELETE /v1/signing-keys/{id}', { path: { id: key.id } })}
    />
  );
}
