import { useMemo, useState } from 'preact/hooks';
import { may } from '../../base/permissions';
import { emptied, kept } from '../data/paste';
import type { TableData } from '../data/table';
import { kindOf, textOf, type Field, type Row } from '../model';
import { areaOf, at, clamped, moved, tabbed, type Selection, type Size } from './selection';
import { useClipboard } from './useClipboard';

/** Edited cell by record and field: positions may change while the user types. */
interface Opened {
  rowId: string;
  fieldId: string;
  /** Initial text, which replaces the content. */
  typed?: string;
}

export interface Editing extends Opened {
  row: number;
  column: number;
}

/** Move after the edit; `leave` goes to another element of the page. */
export type Onward = 'stay' | 'leave' | 'down' | 'next' | 'back';

interface Wish {
  data: TableData;
  fields: readonly Field[];
  rows: readonly Row[];
  page: () => number;
  show: (row: number, column: number) => void;
  focus: () => void;
  check: (rows: readonly Row[]) => void;
  leave: () => void;
}

export function useGrid(wish: Wish) {
  const { data, fields, rows, show } = wish;
  const [selection, setSelection] = useState<Selection>(at(0, 0));
  const [opened, setOpened] = useState<Opened>();
  const editing = useMemo(() => opened && placed(opened, rows, fields), [opened, rows, fields]);
  const size = (): Size => ({ rows: rows.length, columns: fields.length, page: wish.page() });
  const now = editing ? at(editing.row, editing.column) : clamped(selection, size());
  const area = areaOf(now);
  const isEmpty = rows.length === 0 || fields.length === 0;
  const go = (next: Selection | undefined): void => {
    if (next) {
      setSelection(next);
      show(next.active.row, next.active.column);
    }
  };
  const begin = (typed?: string): void => {
    const { row, column } = now.active;
    if (!isEmpty && may('WRITE_TABLE')) {
      show(row, column);
      setOpened({ rowId: rows[row]!.id, fieldId: fields[column]!.id, ...(typed === undefined ? {} : { typed }) });
    }
  };
  const end = (text: string | undefined, onward: Onward): void => {
    const field = editing && fields[editing.column];
    const row = editing && rows[editing.row];
    setOpened(undefined);
    if (onward !== 'leave') {
      wish.focus();
    }
    if (text !== undefined && field && row) {
      const [before, after] = [textOf(row, field), kept(text, field)];
      if (before !== after) {
        void data.write([{ rowId: row.id, fieldId: field.id, before, after }]);
      }
    }
    if (onward === 'down') {
      go(moved(now, { key: 'ArrowDown', ctrl: false, shift: false }, size()));
    } else if (onward === 'next' || onward === 'back') {
      go(tabbed(now, onward === 'back', size()));
    }
  };
  const toggle = (): boolean => {
    const [row, field] = [rows[now.active.row], fields[now.active.column]];
    if (!row || !field || kindOf(field) !== 'CHECKBOX' || !may('WRITE_TABLE')) {
      return false;
    }
    const before = textOf(row, field);
    void data.write([{ rowId: row.id, fieldId: field.id, before, after: before === 'true' ? 'false' : 'true' }]);
    return true;
  };
  const empty = (): void => {
    if (may('WRITE_TABLE')) {
      void data.write(emptied(area, rows, fields));
    }
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    const scroller = event.currentTarget as HTMLElement;
    if (event.target !== scroller) {
      if (event.key === 'ArrowDown' || event.key === 'Escape') {
        wish.focus();
      }
      return;
    }
    const [ctrl, shift, key] = [event.ctrlKey || event.metaKey, event.shiftKey, event.key];
    if (event.altKey || isEmpty) {
      return;
    }
    const target = moved(now, { key, ctrl, shift }, size());
    if (target) {
      go(target);
    } else if (key === 'Tab') {
      const next = tabbed(now, shift, size());
      if (!next) {
        return;
      }
      go(next);
    } else if (key === 'Enter' || key === 'F2') {
      begin();
    } else if (key === 'Escape') {
      wish.leave();
    } else if (key === 'Delete' || key === 'Backspace') {
      empty();
    } else if (ctrl && key.toLowerCase() === 'a') {
      setSelection({ anchor: { row: 0, column: 0 }, active: { row: rows.length - 1, column: fields.length - 1 } });
    } else if (key === ' ' && shift) {
      wish.check(rows.slice(area.top, area.bottom + 1));
    } else if (ctrl && key.toLowerCase() === 'z') {
      void (shift ? data.redo() : data.undo());
    } else if (ctrl && key.toLowerCase() === 'y') {
      void data.redo();
    } else if (!ctrl && key.length === 1 && !(key === ' ' && toggle())) {
      begin(key);
    } else {
      return;
    }
    event.preventDefault();
    event.stopPropagation();
  };
  const onMouseDown = (event: MouseEvent): void => {
    const spot = event.button === 0 ? spotOf(event) : undefined;
    if (!spot) {
      return;
    }
    // Prevents the default focus change: the press may replace the pressed element, and the focus would be lost.
    event.preventDefault();
    const again = now.active.row === spot.row && now.active.column === spot.column && !event.shiftKey;
    setSelection(event.shiftKey ? { anchor: now.anchor, active: spot } : at(spot.row, spot.column));
    wish.focus();
    if (again && event.target instanceof Element && event.target.closest('.cell-check') && toggle()) {
      return;
    }
    if (again && (event.detail > 1 || matchMedia('(pointer: coarse)').matches)) {
      begin();
    }
  };
  const onMouseOver = (event: MouseEvent): void => {
    const spot = event.buttons === 1 && !editing ? spotOf(event) : undefined;
    if (spot) {
      setSelection({ anchor: now.anchor, active: spot });
    }
  };
  const clipboard = useClipboard({
    data,
    fields,
    rows,
    area,
    isEditing: editing !== undefined,
    select: setSelection,
    empty,
  });
  return { selection: now, area, editing, end, onKeyDown, onMouseDown, onMouseOver, ...clipboard };
}

/** Undefined if the record or the field was removed. */
function placed(opened: Opened, rows: readonly Row[], fields: readonly Field[]): Editing | undefined {
  const [row, column] = [
    rows.findIndex((each) => each.id === opened.rowId),
    fields.findIndex((each) => each.id === opened.fieldId),
  ];
  return row < 0 || column < 0 ? undefined : { ...opened, row, column };
}

/** Cell under the pointer; events inside a cell editor are left to it. */
function spotOf({ target }: MouseEvent): { row: number; column: number } | undefined {
  const cell =
    target instanceof Element && !target.closest('.cell-editor') ? target.closest<HTMLElement>('[data-column]') : null;
  const row = cell?.closest<HTMLElement>('[data-row]');
  return cell && row ? { row: Number(row.dataset['row']), column: Number(cell.dataset['column']) } : undefined;
}
