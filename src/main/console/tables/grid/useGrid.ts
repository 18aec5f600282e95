import { useState } from 'preact/hooks';
import { complain, say } from '../../base/components/Toasts';
import { failure } from '../../base/api/failure';
import { may } from '../../base/permissions';
import { count, t } from '../../base/text';
import { copied, emptied, kept, pasted } from '../data/paste';
import { read, write } from '../data/separated';
import type { TableData } from '../data/table';
import { textOf, type Field, type Row } from '../model';
import { areaOf, at, clamped, moved, tabbed, type Selection, type Size } from './selection';

/** A cell that is being edited; `typed` replaces what it holds. */
export interface Editing {
  row: number;
  column: number;
  typed?: string;
}

/** Where it goes on when editing ends: nowhere, and to something else on the page. */
export type Onward = 'stay' | 'leave' | 'down' | 'next' | 'back';

interface Wish {
  data: TableData;
  fields: readonly Field[];
  rows: readonly Row[];
  page: () => number;
  show: (row: number, column: number) => void;
  focus: () => void;
  /** Rows are chosen or not, by keys. */
  check: (rows: readonly Row[]) => void;
  leave: () => void;
}

/** What a person does in the grid by keys, pointer and clipboard. */
export function useGrid(wish: Wish) {
  const { data, fields, rows, show } = wish;
  const [selection, select] = useState<Selection>(at(0, 0));
  const [editing, edit] = useState<Editing>();
  const size = (): Size => ({ rows: rows.length, columns: fields.length, page: wish.page() });
  const now = clamped(selection, size());
  const area = areaOf(now);
  const isEmpty = rows.length === 0 || fields.length === 0;
  const go = (next: Selection | undefined): void => {
    if (next) {
      select(next);
      show(next.active.row, next.active.column);
    }
  };
  const begin = (typed?: string): void => {
    if (!isEmpty && may('WRITE_TABLE')) {
      show(now.active.row, now.active.column);
      edit({ ...now.active, ...(typed === undefined ? {} : { typed }) });
    }
  };
  /** Ends editing: writes what was typed, and goes on. */
  const end = (text: string | undefined, onward: Onward): void => {
    const field = editing && fields[editing.column];
    const row = editing && rows[editing.row];
    edit(undefined);
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
      select({ anchor: { row: 0, column: 0 }, active: { row: rows.length - 1, column: fields.length - 1 } });
    } else if (key === ' ' && shift) {
      wish.check(rows.slice(area.top, area.bottom + 1));
    } else if (ctrl && key.toLowerCase() === 'z') {
      void (shift ? data.redo() : data.undo());
    } else if (ctrl && key.toLowerCase() === 'y') {
      void data.redo();
    } else if (!ctrl && key.length === 1) {
      begin(key);
    } else {
      return;
    }
    event.preventDefault();
    event.stopPropagation();
  };
  const onCopy = (event: ClipboardEvent): void => {
    if (!editing && !isEmpty) {
      event.preventDefault();
      event.clipboardData?.setData('text/plain', write(copied(area, rows, fields), '\t'));
      const cells = (area.bottom - area.top + 1) * (area.right - area.left + 1);
      say(count('grid.copied', cells));
    }
  };
  const paste = async (text: string): Promise<void> => {
    const cells = read(text, '\t');
    const done = pasted(cells, isEmpty ? { top: 0, bottom: 0, left: 0, right: 0 } : area, rows, fields);
    const whole = await data.perform(done);
    if (whole) {
      select({ anchor: { row: done.area.top, column: done.area.left }, active: { row: done.area.bottom, column: done.area.right } });
      say(count('grid.pasted', cells.length), { label: t('base.undo'), perform: () => void data.undo() });
    }
    if (done.cut > 0) {
      complain(failure('CUT', { message: count('grid.cut', done.cut) }));
    }
  };
  const onPaste = (event: ClipboardEvent): void => {
    const text = event.clipboardData?.getData('text/plain') ?? '';
    if (!editing && text !== '' && fields.length > 0 && may('WRITE_TABLE')) {
      event.preventDefault();
      void paste(text);
    }
  };
  const onCut = (event: ClipboardEvent): void => {
    onCopy(event);
    if (!editing) {
      empty();
    }
  };
  const point = (row: number, column: number, event: MouseEvent): void => {
    const again = now.active.row === row && now.active.column === column && !event.shiftKey;
    select(event.shiftKey ? { anchor: now.anchor, active: { row, column } } : at(row, column));
    wish.focus();
    if (again && (event.detail > 1 || matchMedia('(pointer: coarse)').matches)) {
      begin();
    }
  };
  /** The pointer is drawn over cells with its button held. */
  const drag = (row: number, column: number): void => select({ anchor: now.anchor, active: { row, column } });
  return { selection: now, area, editing: isEmpty ? undefined : editing, begin, end, go, point, drag, onKeyDown, onCopy, onCut, onPaste };
}
