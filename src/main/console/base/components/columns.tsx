import { t } from '../text';
import { ago } from '../time';
import type { Column } from './DataTable';

export const changedColumn = <T extends { updated: string }>(): Column<T> => ({
  key: 'changed',
  title: t('flows.column.changed'),
  width: '130px',
  wideOnly: true,
  cell: (row) => <span class="faint">{ago(row.updated, Date.now())}</span>,
});
