import { useState } from 'preact/hooks';
import { api, type Answer } from '../../base/api/client';
import { Button } from '../../base/components/Button';
import { ConfirmDialog } from '../../base/components/ConfirmDialog';
import { CopyButton } from '../../base/components/CopyButton';
import { DataTable, type Column } from '../../base/components/DataTable';
import { Empty } from '../../base/components/States';
import { useRows } from '../../base/query';
import { t } from '../../base/text';
import { ago } from '../../base/time';

type SigningKey = Answer<'GET /v1/signing-keys/{id}'>;

export function SigningKeyList({ turn, begin }: { turn: number; begin: () => void }) {
  const [doomed, setDoomed] = useState<SigningKey>();
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
        label={t('keys.signing')}
        rows={rows}
        columns={columns}
        id={(key) => key.id}
        empty={
          <div class="card">
            <Empty icon="key-round" title={t('keys.noSigning')} text={t('keys.signingText')}>
              <Button icon="plus" onClick={begin}>
                {t('keys.newSigning')}
              </Button>
            </Empty>
          </div>
        }
      />
      {doomed ? (
        <ConfirmDialog
          title={t('keys.deleteTitle', { name: doomed.displayName })}
          text={t('keys.deleteSigning')}
          done={t('flows.deleted', { name: doomed.displayName })}
          perform={() => api('DELETE /v1/signing-keys/{id}', { path: { id: doomed.id } })}
          close={() => setDoomed(undefined)}
          changed={rows.reload}
        />
      ) : null}
    </>
  );
}
