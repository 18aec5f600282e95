import type { ComponentChildren } from 'preact';
import type { Rows } from '../query';
import { t } from '../text';
import { Button } from './Button';
import { Failed, Skeleton } from './States';

export interface Column<T> {
  key: string;
  title: string;
  /** Only for screen readers. */
  hidden?: boolean;
  width?: string;
  wideOnly?: boolean;
  /** Hidden in windows of medium width, too. */
  roomyOnly?: boolean;
  cell: (row: T) => ComponentChildren;
}

interface Props<T> {
  label: string;
  rows: Rows<T>;
  columns: ReadonlyArray<Column<T>>;
  id: (row: T) => string;
  empty: ComponentChildren;
}

const classOf = (column: { wideOnly?: boolean; roomyOnly?: boolean }): string =>
  column.roomyOnly ? 'desk-only' : column.wideOnly ? 'wide-only' : '';

export function DataTable<T>({ label, rows, columns, id, empty }: Props<T>) {
  if (!rows.value) {
    return rows.failure ? (
      <Failed failure={rows.failure} retry={rows.reload} />
    ) : (
      <div class="card table-wait">
        <Skeleton lines={6} />
      </div>
    );
  }
  if (rows.value.length === 0) {
    return <>{empty}</>;
  }
  return (
    <div class="card">
      <table class="table" aria-label={label} aria-busy={rows.loading}>
        <colgroup>
          {columns.map((column) => (
            <col key={column.key} class={classOf(column)} style={{ width: column.width }} />
          ))}
        </colgroup>
        <thead>
          <tr>
            {columns.map((column) => (
              <th key={column.key} scope="col" class={classOf(column)}>
                {column.hidden ? <span class="visually-hidden">{column.title}</span> : column.title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.value.map((row) => (
            <tr key={id(row)}>
              {columns.map((column) => (
                <td key={column.key} class={classOf(column)}>
                  {column.cell(row)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
      {rows.failure ? <Failed failure={rows.failure} retry={rows.retry ?? rows.reload} /> : null}
      {rows.more ? (
        <div class="more">
          <Button kind="quiet" size="small" busy={rows.loading} onClick={rows.more}>
            {t('base.loadMore')}
          </Button>
        </div>
      ) : null}
    </div>
  );
}
