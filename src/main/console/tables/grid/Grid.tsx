import type { ComponentChildren } from 'preact';
import { useMemo, useRef } from 'preact/hooks';
import { useMay } from '../../base/permissions';
import { t } from '../../base/text';
import type { TableData } from '../data/table';
import type { Field, Row } from '../model';
import { GridRow } from './GridRow';
import type { Area } from './selection';
import { useGrid } from './useGrid';
import { useWindow } from './useWindow';
import { edgesOf, GUTTER_WIDTH, HEAD_HEIGHT, ROW_HEIGHT } from './window';

const WIDTHS: Record<Field['type'], number> = { TEXT: 220, NUMBER: 130, DATE: 130, DATETIME: 200, STATIC_DROPDOWN: 160 };

interface Props {
  name: string;
  data: TableData;
  fields: readonly Field[];
  rows: readonly Row[];
  checked: ReadonlySet<string>;
  check: (rows: readonly Row[], range: boolean) => void;
  /** The head of a column. */
  head: (field: Field) => ComponentChildren;
  /** Behind the last head. */
  aside: ComponentChildren;
  /** In the place of no rows. */
  empty: ComponentChildren;
  /** Told which part is selected. */
  footer: (area: Area) => ComponentChildren;
  leave: () => void;
}

/** A grid of cells as WAI-ARIA describes it; of its rows and columns only those are drawn that are seen. */
export function Grid({ name, data, fields, rows, checked, check, head, aside, empty, footer, leave }: Props) {
  const edges = useMemo(() => edgesOf(fields.map((field) => WIDTHS[field.type])), [fields]);
  const { element, seen, look, show, page } = useWindow(rows.length, edges);
  const grid = useGrid({ data, fields, rows, page, show, focus: () => element.current?.focus({ preventScroll: true }), check: (chosen) => check(chosen, false), leave });
  const { selection, area, editing } = grid;
  const latest = useRef(grid);
  latest.current = grid;
  const act = useMemo(() => ({
    end: (...given: Parameters<typeof grid.end>) => latest.current.end(...given),
    point: (...given: Parameters<typeof grid.point>) => latest.current.point(...given),
    drag: (row: number, column: number) => latest.current.drag(row, column),
    check: (row: Row, range: boolean) => check([row], range),
  }), [check]);
  const mayWrite = useMay('WRITE_TABLE');
  const width = GUTTER_WIDTH + edges.at(-1)!;
  const from = Math.min(seen.rows.from, rows.length);
  const isSeen = selection.active.row >= seen.rows.from && selection.active.row < seen.rows.to && selection.active.column >= seen.columns.from && selection.active.column < seen.columns.to;
  return (
    <>
      <div class="grid-place">
        <div class="grid" role="grid" ref={element} tabIndex={0} aria-label={name} aria-rowcount={rows.length + 1} aria-colcount={fields.length + 2} aria-multiselectable="true"
          aria-readonly={!mayWrite} aria-activedescendant={isSeen && rows.length > 0 ? `cell-${selection.active.row}-${selection.active.column}` : undefined} aria-describedby="grid-help"
          onScroll={look} onKeyDown={grid.onKeyDown} onCopy={grid.onCopy} onCut={grid.onCut} onPaste={grid.onPaste}>
          <div class="grid-head" role="row" aria-rowindex={1} style={{ width: `${width + 140}px`, height: `${HEAD_HEIGHT}px` }}>
            <div class="grid-gutter" role="columnheader" aria-colindex={1}><span class="visually-hidden">{t('grid.rowNumber')}</span></div>
            {fields.slice(seen.columns.from, seen.columns.to).map((field, offset) => {
              const column = seen.columns.from + offset;
              return (
                <div key={field.id} class="grid-title" role="columnheader" aria-colindex={column + 2} style={{ left: `${GUTTER_WIDTH + edges[column]!}px`, width: `${edges[column + 1]! - edges[column]!}px` }}>{head(field)}</div>
              );
            })}
            <div class="grid-aside" role="columnheader" aria-colindex={fields.length + 2} style={{ left: `${width}px` }}>{aside}</div>
          </div>
          <div class="grid-body" role="rowgroup" style={{ height: `${rows.length * ROW_HEIGHT}px`, width: `${width}px` }}>
            {rows.slice(from, seen.rows.to).map((row, offset) => {
              const index = from + offset;
              return (
                <GridRow key={row.id} row={row} index={index} fields={fields} edges={edges} span={seen.columns} act={act} checkable={mayWrite} checked={checked.has(row.id)}
                  area={index >= area.top && index <= area.bottom ? area : undefined} active={selection.active.row === index ? selection.active.column : undefined}
                  editing={editing?.row === index ? editing : undefined} />
              );
            })}
          </div>
        </div>
        {empty ? <div class="grid-empty">{empty}</div> : null}
      </div>
      <p class="visually-hidden" id="grid-help">{t('grid.help')}</p>
      {footer(area)}
    </>
  );
}
