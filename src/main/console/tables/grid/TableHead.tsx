import { useEffect } from 'preact/hooks';
import { brand } from '../../base/brand';
import { Button } from '../../base/components/Button';
import { Icon } from '../../base/components/Icon';
import { Menu } from '../../base/components/Menu';
import { linkTo } from '../../base/router';
import { useStore } from '../../base/store';
import { count, t } from '../../base/text';
import { exportRows, exportTemplate } from '../actions';
import type { TableData } from '../data/table';
import { takesValue, type Filter, type View } from '../data/view';
import type { Row, Table } from '../model';
import type { Asked } from './dialogs';

interface Props {
  projectId: string;
  table: Table;
  data: TableData;
  view: View;
  rows: readonly Row[];
  onView: (view: View) => void;
  ask: (asked: Asked) => void;
  addRow: () => void;
}

export function TableHead({ projectId, table, data, view, rows, onView, ask, addRow }: Props) {
  const { fields, undo, redo, rows: all } = useStore(data.store);
  const product = useStore(brand, (known) => known.name);
  useEffect(() => {
    document.title = `${table.name} · ${product}`;
  }, [table.name, product]);
  const nameOf = (id: string): string => fields.find((field) => field.id === id)?.name ?? '';
  const sorted = view.sort && nameOf(view.sort.fieldId);
  return (
    <header class="table-head">
      <div class="row">
        <a class="button quiet icon-only" aria-label={t('tables.back')} {...linkTo(`/projects/${projectId}/tables`)}>
          <Icon name="arrow-left" />
        </a>
        <h1 class="cut">{table.name}</h1>
        <span class="spread" />
        <span class="wide-only row">
          <Button
            kind="quiet"
            icon="undo-2"
            label={t('base.undo')}
            shortcut="Ctrl+Z"
            needs="WRITE_TABLE"
            disabled={undo.length === 0}
            queues
            onClick={() => data.undo()}
          />
          <Button
            kind="quiet"
            icon="redo-2"
            label={t('builder.redo')}
            shortcut="Ctrl+Y"
            needs="WRITE_TABLE"
            disabled={redo.length === 0}
            queues
            onClick={() => data.redo()}
          />
        </span>
        <Button icon="filter" label={t('grid.filter')} shortcut="F" onClick={() => ask({ what: 'filter' })} />
        <Menu
          label={t('flows.actions', { name: table.name })}
          groups={[
            {
              items: [
                {
                  label: t('grid.addField'),
                  icon: 'plus',
                  needs: 'WRITE_TABLE',
                  perform: () => ask({ what: 'newField' }),
                },
                {
                  label: t('grid.import'),
                  icon: 'upload',
                  needs: 'WRITE_TABLE',
                  perform: () => ask({ what: 'import' }),
                },
                ...(view.filters.length > 0
                  ? [
                      {
                        label: count('tables.exportShown', rows.length),
                        icon: 'download' as const,
                        perform: () => exportRows(table.name, fields, rows),
                      },
                    ]
                  : []),
                {
                  label: t(view.filters.length > 0 ? 'tables.exportAll' : 'tables.export'),
                  icon: 'download',
                  perform: () => exportRows(table.name, fields, view.filters.length > 0 ? all : rows),
                },
                { label: t('tables.template'), icon: 'file-json', perform: () => exportTemplate(table) },
              ],
            },
            {
              items: [
                {
                  label: t('tables.clear'),
                  icon: 'trash-2',
                  danger: true,
                  needs: 'WRITE_TABLE',
                  perform: () => ask({ what: 'clear' }),
                },
              ],
            },
          ]}
          button={(wiring) => (
            <Button
              icon="ellipsis"
              label={t('flows.actions', { name: table.name })}
              onClick={wiring.onClick}
              more={{ 'aria-haspopup': 'menu', 'aria-expanded': wiring['aria-expanded'] }}
            />
          )}
        />
        <Button kind="primary" icon="plus" needs="WRITE_TABLE" disabled={fields.length === 0} onClick={addRow}>
          {t('grid.addRow')}
        </Button>
      </div>
      {view.filters.length > 0 || sorted ? (
        <ul class="view-marks">
          {view.filters.map((filter, at) => (
            <li key={at} class="view-mark">
              <button type="button" onClick={() => ask({ what: 'filter' })}>
                {wordsOf(filter, nameOf(filter.fieldId))}
              </button>
              <Button
                kind="quiet"
                size="small"
                icon="x"
                label={t('grid.filter.remove')}
                onClick={() => onView({ ...view, filters: view.filters.filter((_, index) => index !== at) })}
              />
            </li>
          ))}
          {sorted ? (
            <li class="view-mark">
              <span>{t(view.sort!.descending ? 'grid.sortedDown' : 'grid.sortedUp', { name: sorted })}</span>
              <Button
                kind="quiet"
                size="small"
                icon="x"
                label={t('grid.sortNot')}
                onClick={() => onView({ ...view, sort: undefined })}
              />
            </li>
          ) : null}
        </ul>
      ) : null}
    </header>
  );
}

const wordsOf = ({ operator, value }: Filter, name: string): string =>
  `${name} ${t(`grid.operator.${operator}`)}${takesValue(operator) ? ` ${value}` : ''}`;
