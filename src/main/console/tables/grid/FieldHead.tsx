import { Icon, type IconName } from '../../base/components/Icon';
import { Menu } from '../../base/components/Menu';
import { count, t } from '../../base/text';
import type { Sort } from '../data/view';
import { kindOf, type Field, type FieldKind } from '../model';
import type { Asked } from './dialogs';
import type { Columns } from './useColumns';
import type { Resize } from './useWidths';
import { WIDTH_STEP } from './widths';

export const TYPE_ICONS: Record<FieldKind, IconName> = {
  CHECKBOX: 'square-check',
  TEXT: 'type',
  NUMBER: 'hash',
  DATE: 'calendar',
  DATETIME: 'clock',
  STATIC_DROPDOWN: 'list',
};

interface Props {
  field: Field;
  sort: Sort | undefined;
  onSort: (sort: Sort | undefined) => void;
  ask: (asked: Asked) => void;
  width: number;
  resize: Resize;
  columns: Columns;
}

export function FieldHead({ field, sort, onSort, ask, width, resize, columns }: Props) {
  const way = sort?.fieldId !== field.id ? undefined : sort.descending ? 'down' : 'up';
  return (
    <Menu
      label={t('grid.column', { name: field.name })}
      align="start"
      groups={[
        {
          items: [
            {
              label: t('grid.sortUp'),
              icon: 'arrow-up',
              checked: way === 'up',
              perform: () => onSort({ fieldId: field.id, descending: false }),
            },
            {
              label: t('grid.sortDown'),
              icon: 'arrow-down',
              checked: way === 'down',
              perform: () => onSort({ fieldId: field.id, descending: true }),
            },
            ...(way ? [{ label: t('grid.sortNot'), icon: 'minus' as const, perform: () => onSort(undefined) }] : []),
            { label: t('grid.filterBy'), icon: 'filter', perform: () => ask({ what: 'filter', fieldId: field.id }) },
          ],
        },
        {
          items: [
            {
              label: t('grid.wider'),
              icon: 'chevrons-left-right',
              perform: () => resize(field.id, width + WIDTH_STEP),
            },
            {
              label: t('grid.narrower'),
              icon: 'chevrons-right-left',
              perform: () => resize(field.id, width - WIDTH_STEP),
            },
            { label: t('grid.usualWidth'), icon: 'rotate-ccw', perform: () => resize(field.id, undefined) },
          ],
        },
        {
          items: [
            {
              label: t('grid.moveLeft'),
              icon: 'arrow-left',
              disabled: columns.fields[0]?.id === field.id,
              perform: () => columns.move(field.id, -1),
            },
            {
              label: t('grid.moveRight'),
              icon: 'arrow-right',
              disabled: columns.fields.at(-1)?.id === field.id,
              perform: () => columns.move(field.id, 1),
            },
            {
              label: t('grid.hide'),
              icon: 'eye-off',
              disabled: columns.fields.length < 2,
              perform: () => columns.hide(field.id),
            },
            ...(columns.hidden > 0
              ? [{ label: count('grid.showHidden', columns.hidden), icon: 'eye' as const, perform: columns.showAll }]
              : []),
          ],
        },
        {
          items: [
            {
              label: t('grid.edit'),
              icon: 'pencil',
              needs: 'WRITE_TABLE',
              perform: () => ask({ what: 'editField', field }),
            },
            {
              label: t('grid.deleteField'),
              icon: 'trash-2',
              danger: true,
              needs: 'WRITE_TABLE',
              perform: () => ask({ what: 'deleteField', field }),
            },
          ],
        },
      ]}
      button={(wiring) => (
        <button class="field-head" type="button" tabIndex={-1} data-column-menu={field.id} {...wiring}>
          <Icon name={TYPE_ICONS[kindOf(field)]} size={14} label={t(`field.type.${kindOf(field)}`)} />
          <span class="cut spread">{field.name}</span>
          {way ? (
            <Icon
              name={way === 'up' ? 'arrow-up' : 'arrow-down'}
              size={14}
              label={t(way === 'up' ? 'grid.sortUp' : 'grid.sortDown')}
            />
          ) : null}
          <Icon name="chevron-down" size={14} />
        </button>
      )}
    />
  );
}
