import { useEffect, useMemo, useState } from 'preact/hooks';
import { api } from '../../base/api/client';
import { Button, LinkButton } from '../../base/components/Button';
import { Empty, Failed, Skeleton } from '../../base/components/States';
import { say } from '../../base/components/Toasts';
import { useCommands } from '../../base/commands';
import { useMay } from '../../base/permissions';
import { useQuery } from '../../base/query';
import { narrow, usePlace } from '../../base/router';
import { useStore } from '../../base/store';
import { count, t } from '../../base/text';
import { NOTHING } from '../data/changes';
import { readView, rowsOf, written, type View } from '../data/view';
import { GridDialogs, type Asked } from './dialogs';
import { FieldHead } from './FieldHead';
import { Grid } from './Grid';
import { StatusLine } from './StatusLine';
import { TableHead } from './TableHead';
import { useChecked } from './useChecked';
import { useColumns } from './useColumns';
import { useTable } from './useTable';

/** True if no field has the focus: in a field, the browser undoes what was typed. */
const isOutsideFields = (): boolean => document.activeElement?.matches('input, textarea, select, dialog *') !== true;

/** Filters and order are part of the address. */
export default function TablePage({ params }: { params: Record<string, string> }) {
  const { projectId, tableId } = params as { projectId: string; tableId: string };
  const { query } = usePlace();
  const table = useQuery(`table ${tableId}`, (signal) => api('GET /v1/tables/{id}', { path: { id: tableId }, signal }));
  const data = useTable(tableId, table.reload);
  const state = useStore(data.store);
  const { fields } = state;
  const columns = useColumns(tableId, fields);
  const [asked, setAsked] = useState<Asked>();
  const [filter, sort] = [query.get('filter'), query.get('sort')];
  const view = useMemo(() => readView(filter, sort), [filter, sort]);
  // Independent of cell edits: rows do not move while the user types.
  const order = useMemo(
    () => rowsOf(state.rows, fields, view, state.fresh).map((row) => row.id),
    [view, state.structure, fields.length],
  );
  const rows = useMemo(() => {
    const byId = new Map(state.rows.map((row) => [row.id, row]));
    return order.flatMap((id) => byId.get(id) ?? []);
  }, [order, state.rows]);
  const { checked, check, clear, chosen } = useChecked(rows);
  const show = (next: View): void => {
    data.settle();
    narrow(written(next));
  };
  const mayWrite = useMay('WRITE_TABLE');
  const addRow = (): void => void data.perform({ ...NOTHING, added: [{ id: '', cells: {} }] });
  const removeRows = async (): Promise<void> => {
    const removed = chosen;
    clear();
    if (await data.perform({ ...NOTHING, removed })) {
      say(count('grid.deletedRows', removed.length), { label: t('base.undo'), perform: () => data.undo() });
    }
  };
  useCommands(
    [
      {
        id: 'table-undo',
        label: t('base.undo'),
        icon: 'undo-2',
        keys: 'Ctrl+z',
        needs: 'WRITE_TABLE',
        group: t('tables.title'),
        when: isOutsideFields,
        perform: () => data.undo(),
      },
      {
        id: 'table-redo',
        label: t('builder.redo'),
        icon: 'redo-2',
        keys: 'Ctrl+y',
        needs: 'WRITE_TABLE',
        group: t('tables.title'),
        when: isOutsideFields,
        perform: () => data.redo(),
      },
      {
        id: 'table-row',
        label: t('grid.addRow'),
        icon: 'plus',
        keys: 'c',
        needs: 'WRITE_TABLE',
        group: t('tables.title'),
        perform: addRow,
      },
      {
        id: 'table-field',
        label: t('grid.addField'),
        icon: 'plus',
        needs: 'WRITE_TABLE',
        group: t('tables.title'),
        perform: () => setAsked({ what: 'newField' }),
      },
      {
        id: 'table-filter',
        label: t('grid.filter'),
        icon: 'filter',
        keys: 'f',
        group: t('tables.title'),
        perform: () => setAsked({ what: 'filter' }),
      },
      {
        id: 'table-import',
        label: t('grid.import'),
        icon: 'upload',
        needs: 'WRITE_TABLE',
        group: t('tables.title'),
        perform: () => setAsked({ what: 'import' }),
      },
      {
        id: 'table-column',
        label: t('grid.columnMenu'),
        icon: 'chevron-down',
        keys: 'Alt+ArrowDown',
        group: t('tables.title'),
        perform: openColumnMenu,
      },
    ],
    [data],
  );
  useEffect(clear, [tableId]);
  const failed = table.failure && !table.value ? table.failure : state.state === 'failed' ? state.failure : undefined;
  if (failed) {
    return (
      <Failed
        failure={failed}
        retry={() => {
          table.reload();
          void data.reload();
        }}>
        <LinkButton icon="arrow-left" to={`/projects/${projectId}/tables`}>
          {t('tables.back')}
        </LinkButton>
      </Failed>
    );
  }
  if (!table.value || (state.state === 'loading' && fields.length === 0 && rows.length === 0)) {
    return (
      <div class="page">
        <Skeleton lines={6} />
      </div>
    );
  }
  return (
    <div class="table-page">
      <TableHead
        table={table.value}
        data={data}
        view={view}
        rows={rows}
        onView={show}
        ask={setAsked}
        addRow={addRow}
        projectId={projectId}
      />
      {chosen.length > 0 ? (
        <div class="grid-bulk" role="toolbar" aria-label={count('grid.chosen', chosen.length)}>
          <span class="spread">{count('grid.chosen', chosen.length)}</span>
          <Button size="small" icon="trash-2" needs="WRITE_TABLE" onClick={() => removeRows()}>
            {count('grid.deleteRows', chosen.length)}
          </Button>
          <Button size="small" kind="quiet" icon="x" label={t('grid.unchoose')} onClick={clear} />
        </div>
      ) : null}
      {fields.length === 0 && state.state === 'here' ? (
        <Empty
          icon="table"
          title={t(mayWrite ? 'grid.noFields.title' : 'grid.noFields.readerTitle')}
          text={t('grid.noFields.text')}
          needs="WRITE_TABLE">
          <Button kind="primary" icon="plus" needs="WRITE_TABLE" onClick={() => setAsked({ what: 'newField' })}>
            {t('grid.addField')}
          </Button>
          <Button icon="upload" needs="WRITE_TABLE" onClick={() => setAsked({ what: 'import' })}>
            {t('grid.import')}
          </Button>
        </Empty>
      ) : (
        <Grid
          key={tableId}
          name={table.value.name}
          data={data}
          fields={columns.fields}
          rows={rows}
          checked={checked}
          check={check}
          leave={() => document.querySelector<HTMLElement>('.table-head a')?.focus()}
          head={(field, width, resize) => (
            <FieldHead
              field={field}
              columns={columns}
              width={width}
              resize={resize}
              sort={view.sort}
              ask={setAsked}
              onSort={(next) => show({ ...view, sort: next })}
            />
          )}
          aside={
            <Button
              kind="quiet"
              size="small"
              icon="plus"
              needs="WRITE_TABLE"
              more={{ tabIndex: -1 }}
              onClick={() => setAsked({ what: 'newField' })}>
              {t('grid.addField')}
            </Button>
          }
          empty={
            rows.length > 0 || state.state === 'loading' ? null : state.rows.length > 0 ? (
              <Empty icon="filter" title={t('grid.noneFit.title')} text={t('grid.noneFit.text')}>
                <Button onClick={() => show({ ...view, filters: [] })}>{t('grid.clearFilters')}</Button>
              </Empty>
            ) : (
              <Empty
                icon="table"
                title={t('grid.noRows.title')}
                text={t('grid.noRows.text')}
                needs="WRITE_TABLE"
                readerText={t('grid.noRows.reader')}>
                <Button icon="plus" needs="WRITE_TABLE" onClick={addRow}>
                  {t('grid.addRow')}
                </Button>
              </Empty>
            )
          }
          footer={(area) => <StatusLine data={data} fields={columns.fields} rows={rows} area={area} />}
        />
      )}
      {asked ? (
        <GridDialogs
          asked={asked}
          table={table.value}
          data={data}
          view={view}
          onView={show}
          close={() => setAsked(undefined)}
        />
      ) : null}
    </div>
  );
}

function openColumnMenu(): void {
  const column = document.querySelector('[data-active]')?.getAttribute('aria-colindex');
  document.querySelector<HTMLElement>(`.grid-title[aria-colindex="${column ?? '2'}"] button`)?.click();
}
