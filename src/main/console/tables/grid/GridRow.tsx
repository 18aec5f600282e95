import { Component } from 'preact';
import { t } from '../../base/text';
import { textOf, type Field, type Row } from '../model';
import { CellEditor, cellText } from './Cell';
import { covers, type Area } from './selection';
import type { Editing, Onward } from './useGrid';
import { drawn, GUTTER_WIDTH, ROW_HEIGHT, type Span } from './window';

interface Props {
  row: Row;
  index: number;
  fields: readonly Field[];
  edges: readonly number[];
  span: Span;
  /** Selected part of this row; undefined without one. */
  area: Area | undefined;
  /** Column of the active cell, if it is in this row. */
  active: number | undefined;
  editing: Editing | undefined;
  checked: boolean;
  checkable: boolean;
  act: { end: (text: string | undefined, onward: Onward) => void; check: (row: Row, range: boolean) => void };
}

const COMPARED = ['row', 'index', 'fields', 'edges', 'active', 'editing', 'checked', 'checkable'] as const;

/** Row that renders only after a change of its own: a move by one row must not render thirty. */
export class GridRow extends Component<Props> {
  override shouldComponentUpdate(next: Props): boolean {
    return (
      COMPARED.some((name) => next[name] !== this.props[name]) ||
      next.span.from !== this.props.span.from ||
      next.span.to !== this.props.span.to ||
      next.area?.left !== this.props.area?.left ||
      next.area?.right !== this.props.area?.right
    );
  }

  override render({ row, index, fields, edges, span, area, active, editing, checked, checkable, act }: Props) {
    return (
      <div
        class="grid-row"
        role="row"
        aria-rowindex={index + 2}
        aria-selected={checked}
        data-row={index}
        data-id={row.id}
        style={{ top: `${index * ROW_HEIGHT}px` }}>
        <div class="grid-gutter" role="rowheader" aria-colindex={1}>
          {checkable ? (
            <input
              type="checkbox"
              tabIndex={-1}
              checked={checked}
              aria-label={t('grid.chooseRow', { row: index + 1 })}
              onClick={(event) => act.check(row, event.shiftKey)}
            />
          ) : null}
          <span class="figures">{index + 1}</span>
        </div>
        {drawn(span, fields.length, editing?.column).map((column) => {
          const field = fields[column]!;
          return (
            <div
              key={field.id}
              id={`cell-${index}-${column}`}
              class="grid-cell"
              role="gridcell"
              aria-colindex={column + 2}
              data-type={field.type}
              data-column={column}
              aria-selected={area !== undefined && covers(area, index, column)}
              data-active={active === column || undefined}
              style={{ left: `${GUTTER_WIDTH + edges[column]!}px`, width: `${edges[column + 1]! - edges[column]!}px` }}>
              {editing?.column === column ? (
                <CellEditor field={field} text={textOf(row, field)} editing={editing} end={act.end} />
              ) : (
                cellText(row, field)
              )}
            </div>
          );
        })}
      </div>
    );
  }
}
