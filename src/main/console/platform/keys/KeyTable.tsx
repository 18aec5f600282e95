import { useState } from 'preact/hooks';
import type { Result } from '../../base/api/failure';
import { Button } from '../../base/components/Button';
import { ConfirmDialog } from '../../base/components/ConfirmDialog';
import { DataTable, type Column } from '../../base/components/DataTable';
import { Empty } from '../../base/components/States';
import type { Rows } from '../../base/query';
import { t } from '../../base/text';

interface Key {
  id: string;
  displayName: string;
}

interface Props<K extends Key> {
  label: string;
  rows: Rows<K>;
  columns: Column<K>[];
  none: { title: string; text: string; begin: string };
  begin: () => void;
  deleteText: string;
  remove: (key: K) => Promise<Result<unknown>>;
}

export function KeyTable<K extends Key>({ label, rows, columns, none, begin, deleteText, remove }: Props<K>) {
  const [doomed, setDoomed] = useState<K>();
  const deletion: Column<K> = {
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
  };
  return (
    <>
      <DataTable
        label={label}
        rows={rows}
        columns={[...columns, deletion]}
        id={(key) => key.id}
        empty={
          <div class="card">
            <Empty icon="key-round" title={none.title} text={none.text}>
              <Button icon="plus" onClick={begin}>
                {none.begin}
              </Button>
            </Empty>
          </div>
        }
      />
      {doomed ? (
        <ConfirmDialog
          title={t('keys.deleteTitle', { name: doomed.displayName })}
          text={deleteText}
          done={t('flows.deleted', { name: doomed.displayName })}
          perform={() => remove(doomed)}
          close={() => setDoomed(undefined)}
          changed={rows.reload}
        />
      ) : null}
    </>
  );
}
