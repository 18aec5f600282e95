import type { ComponentChildren } from 'preact';
import { useMemo, useRef } from 'preact/hooks';
import { useMay } from '../../base/permissions';
import { t } from '../../base/text';
import type { TableData } from '../data/table';
import type { Field, Row } from '../model';
import { ColumnEdge } from './ColumnEdge';
import { GridRow } from './GridRow';
import type { Area } from './selection';
import { useGrid } from './useGrid';
import { useWidths, type Resize } from './useWidths';
import { useWindow } from './useWindow';
import { widthOf } from './widths';
import { drawn, edgesOf, GUTTER_WIDTH, HEAD_HEIGHT, ROW_HEIGHT } from './window';

interface Props {
  name: string;
  data: TableData;
  fields: readonly Field[];
  rows: readonly Row[];
  checked: ReadonlySet<string>;
  check: (rows: readonly Row[], range: boolean) => void;
  head: (field: Field, width: number, resize: Resize) => ComponentChildren;
  aside: ComponentChildren;
  empty: ComponentChildren;
  footer: (area: Area) => ComponentChildren;
  leave: () => void;
}

/** Grid of the WAI-ARIA pattern; only visible rows and columns are rendered. */
export function Grid({ name, data, fields, rows, checked, check, head, aside, empty, footer, leave }: Props) {
  const { widths, resize } = useWidths(data.tableId);
  const edges = useMemo(() => edgesOf(fields.map((field) => widthOf(field, widths))), [fields, widths]);
  const { element, seen, look, show, page } = useWindow(rows.length, edges);
  const grid = useGrid({
    data,
    fields,
    rows,
    page,
    show,
    focus: () => element.current?.focus({ preventScroll: true }),
    check: (chosen) => check(chosen, false),
    leave,
  });
  const { selection, area, editing } = grid;
  const latest = useRef(grid);
  latest.current = grid;
  const act = useMemo(
    () => ({
      end: (...given: Parameters<typeof grid.end>) => latest.current.end(...given),
      check: (row: Row, range: boolean) => check([row], range),
    }),
    [check],
  );
  const mayWrite = useMay('WRITE_TABLE');
  const width = GUTTER_WIDTH + edges.at(-1)!;
  const isSeen =
    selection.active.row >= seen.rows.from &&
    selection.active.row < seen.rows.to &&
    selection.active.column >= seen.columns.from &&
    selection.active.column < seen.columns.to;
  // Memoized: headers do not depend on the visible rows.
  const heads = useMemo(
    () =>
      drawn(seen.columns, fields.length, undefined).map((column) => {
        const [field, own] = [fields[column]!, edges[column + 1]! - edges[column]!];
        return (
          <div
            key={field.id}
            class="grid-title"
            role="columnheader"
            aria-colindex={column + 2}
            style={{ left: `${GUTTER_WIDTH + edges[column]!}px`, width: `${own}px` }}>
            {head(field, own, resize)}
            <ColumnEdge width={own} onWidth={(wanted) => resize(field.id, wanted)} />
          </div>
        );
      }),
    [fields, edges, seen.columns, head],
  );
  const foot = useMemo(() => footer(area), [footer, area.top, area.bottom, area.left, area.right]);
  return (
    <>
      <div class="grid-place">
        <div
          class="grid"
          role="grid"
          ref={element}
          tabIndex={0}
          aria-label={name}
          aria-rowcount={rows.length + 1}
          aria-colcount={fields.length + 2}
          aria-multiselectable="true"
          aria-readonly={!mayWrite}
          aria-activedescendant={
            isSeen && rows.length > 0 ? `cell-${selection.active.row}-${selection.active.column}` : undefined
          }
          aria-describedby="grid-help"
          onScroll={look}
          onKeyDown={grid.onKeyDown}
          onCopy={grid.onCopy}
          onCut={grid.onCut}
          onPaste={grid.onPaste}>
          <div
            class="grid-head"
            role="row"
            aria-rowindex={1}
            style={{ width: `${width + 140}px`, height: `${HEAD_HEIGHT}px` }}>
            <div class="grid-gutter" role="columnheader" aria-colindex={1}>
              <span class="visually-hidden">{t('grid.rowNumber')}</span>
            </div>
            {heads}
            <div
              class="grid-aside"
              role="columnheader"
              aria-colindex={fields.length + 2}
              style={{ left: `${width}px` }}>
              {aside}
            </div>
          </div>
          <div
            class="grid-body"
            role="rowgroup"
            style={{ height: `${rows.length * ROW_HEIGHT}px`, width: `${width}px` }}
            onMouseDown={grid.onMouseDown}
            onMouseOver={grid.onMouseOver}>
            {drawn(seen.rows, rows.length, editing?.row).map((index) => {
              const row = rows[index]!;
              return (
                <GridRow
                  key={row.id}
                  row={row}
                  index={index}
                  fields={fields}
                  edges={edges}
                  span={seen.columns}
                  act={act}
                  checkable={mayWrite}
                  checked={checked.has(row.id)}
                  area={index >= area.top && index <= area.bottom ? area : undefined}
                  active={selection.active.row === index ? selection.active.column : undefined}
                  editing={editing?.row === index ? editing : undefined}
                />
              );
            })}
          </div>
        </div>
        {empty ? <div class="grid-empty">{empty}</div> : null}
      </div>
      <p class="visually-hidden" id="grid-help">
        {t('grid.help')}
      </p>
      {foot}
    </>
  );
}
