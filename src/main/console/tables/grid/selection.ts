/** Cell position in the shown order. */
export interface Spot {
  row: number;
  column: number;
}

/** Selected rectangle: `anchor` is its first corner, `active` the moving corner and the active cell. */
export interface Selection {
  anchor: Spot;
  active: Spot;
}

export interface Size {
  rows: number;
  columns: number;
  /** Rows on one page. */
  page: number;
}

export interface Area {
  top: number;
  bottom: number;
  left: number;
  right: number;
}

export const at = (row: number, column: number): Selection => ({ anchor: { row, column }, active: { row, column } });

export const areaOf = ({ anchor, active }: Selection): Area => ({
  top: Math.min(anchor.row, active.row),
  bottom: Math.max(anchor.row, active.row),
  left: Math.min(anchor.column, active.column),
  right: Math.max(anchor.column, active.column),
});

export const covers = (area: Area, row: number, column: number): boolean =>
  row >= area.top && row <= area.bottom && column >= area.left && column <= area.right;

const within = (value: number, count: number): number => Math.max(0, Math.min(value, count - 1));

export function clamped({ anchor, active }: Selection, size: Size): Selection {
  const spot = ({ row, column }: Spot): Spot => ({ row: within(row, size.rows), column: within(column, size.columns) });
  return { anchor: spot(anchor), active: spot(active) };
}

export interface Step {
  key: string;
  ctrl: boolean;
  shift: boolean;
}

/** Selection after a key; undefined for other keys. Shift extends the rectangle, Ctrl moves to the edge. */
export function moved(selection: Selection, step: Step, size: Size): Selection | undefined {
  const { row, column } = selection.active;
  const target = targetOf(step, row, column, size);
  if (!target) {
    return undefined;
  }
  const active = { row: within(target.row, size.rows), column: within(target.column, size.columns) };
  return { anchor: step.shift ? selection.anchor : active, active };
}

function targetOf({ key, ctrl }: Step, row: number, column: number, size: Size): Spot | undefined {
  switch (key) {
    case 'ArrowUp':
      return { row: ctrl ? 0 : row - 1, column };
    case 'ArrowDown':
      return { row: ctrl ? size.rows - 1 : row + 1, column };
    case 'ArrowLeft':
      return { row, column: ctrl ? 0 : column - 1 };
    case 'ArrowRight':
      return { row, column: ctrl ? size.columns - 1 : column + 1 };
    case 'Home':
      return { row: ctrl ? 0 : row, column: 0 };
    case 'End':
      return { row: ctrl ? size.rows - 1 : row, column: size.columns - 1 };
    case 'PageUp':
      return { row: row - size.page, column };
    case 'PageDown':
      return { row: row + size.page, column };
    default:
      return undefined;
  }
}

/** Next or previous cell in reading order; undefined past either end. */
export function tabbed({ active }: Selection, back: boolean, size: Size): Selection | undefined {
  const place = active.row * size.columns + active.column + (back ? -1 : 1);
  return place < 0 || place >= size.rows * size.columns
    ? undefined
    : at(Math.floor(place / size.columns), place % size.columns);
}
