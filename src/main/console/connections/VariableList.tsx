import { useEffect, useState } from 'preact/hooks';
import { api } from '../base/api/client';
import { Button } from '../base/components/Button';
import { CopyButton } from '../base/components/CopyButton';
import { DataTable, type Column } from '../base/components/DataTable';
import { Empty } from '../base/components/States';
import { complain } from '../base/components/Toasts';
import { useRows } from '../base/query';
import { t } from '../base/text';
import { ago } from '../base/time';
import type { Asked, Variable } from './model';

const ROWS = 50;

/** A value is shown on request only. */
export function VariableList({
  projectId,
  name,
  ask,
  turn,
}: {
  projectId: string;
  name: string;
  ask: (asked: Asked) => void;
  turn: number;
}) {
  const rows = useRows<Variable>(`variables ${projectId} ${name}`, (cursor, signal) =>
    api('GET /v1/variables', { query: { projectId, limit: ROWS, cursor, name: name || undefined }, signal }),
  );
  useEffect(() => {
    if (turn > 0) {
      rows.reload();
    }
  }, [turn]);
  const columns: Column<Variable>[] = [
    { key: 'name', title: t('flows.column.name'), cell: (each) => <code class="cut">{each.name}</code> },
    {
      key: 'value',
      title: t('connections.value'),
      width: '40%',
      wideOnly: true,
      cell: (each) => <Value key={each.updated} variable={each} />,
    },
    {
      key: 'changed',
      title: t('flows.column.changed'),
      width: '124px',
      wideOnly: true,
      cell: (each) => <span class="faint">{ago(each.updated, Date.now())}</span>,
    },
    {
      key: 'actions',
      title: t('base.more'),
      hidden: true,
      width: '96px',
      cell: (each) => (
        <span class="row">
          <Button
            kind="quiet"
            size="small"
            icon="pencil"
            needs="WRITE_VARIABLE"
            label={t('connections.edit', { name: each.name })}
            onClick={() => ask({ what: 'variable', variable: each })}
          />
          <Button
            kind="quiet"
            size="small"
            icon="trash-2"
            needs="WRITE_VARIABLE"
            label={t('connections.delete', { name: each.name })}
            onClick={() => ask({ what: 'deleteVariable', variable: each })}
          />
        </span>
      ),
    },
  ];
  return (
    <DataTable
      label={t('connections.variables')}
      rows={rows}
      columns={columns}
      id={(each) => each.id}
      empty={
        <div class="card">
          {name ? (
            <Empty icon="search" title={t('flows.none.title')} text={t('connections.noVariable', { text: name })} />
          ) : (
            <Empty icon="variable" title={t('connections.noVariables.title')} text={t('connections.noVariables.text')}>
              <Button icon="plus" needs="WRITE_VARIABLE" onClick={() => ask({ what: 'newVariable' })}>
                {t('connections.newVariable')}
              </Button>
            </Empty>
          )}
        </div>
      }
    />
  );
}

function Value({ variable }: { variable: Variable }) {
  const [value, setValue] = useState<string>();
  const reveal = async (): Promise<void> => {
    const told = await api('POST /v1/variables/{id}/reveal', { path: { id: variable.id } });
    if (told.ok) {
      setValue(told.value.value);
    } else {
      complain(told.failure);
    }
  };
  return value === undefined ? (
    <span class="row quiet-cell">
      <Button kind="quiet" size="small" icon="eye" onClick={() => reveal()}>
        {t('connections.reveal')}
      </Button>
    </span>
  ) : (
    <span class="row">
      <code class="cut">{value}</code>
      <CopyButton text={value} />
      <Button
        kind="quiet"
        size="small"
        icon="eye-off"
        label={t('connections.hide')}
        onClick={() => setValue(undefined)}
      />
    </span>
  );
}
