import { failure } from '../../base/api/failure';
import { complain, say } from '../../base/components/Toasts';
import { may } from '../../base/permissions';
import { count, t } from '../../base/text';
import { copied, pasted } from '../data/paste';
import { read, write } from '../data/separated';
import type { TableData } from '../data/table';
import type { Field, Row } from '../model';
import type { Area, Selection } from './selection';

interface Wish {
  data: TableData;
  fields: readonly Field[];
  rows: readonly Row[];
  area: Area;
  isEditing: boolean;
  select: (selection: Selection) => void;
  /** Clears the selected cells. */
  empty: () => void;
}

/** During an edit the clipboard belongs to the cell editor. */
export function useClipboard({ data, fields, rows, area, isEditing, select, empty }: Wish) {
  const isEmpty = rows.length === 0 || fields.length === 0;
  const onCopy = (event: ClipboardEvent): void => {
    if (!isEditing && !isEmpty) {
      event.preventDefault();
      event.clipboardData?.setData('text/plain', write(copied(area, rows, fields), '\t'));
      const cells = (area.bottom - area.top + 1) * (area.right - area.left + 1);
      say(count('grid.copied', cells));
    }
  };
  const onCut = (event: ClipboardEvent): void => {
    onCopy(event);
    if (!isEditing) {
      empty();
    }
  };
  const paste = async (text: string): Promise<void> => {
    const cells = read(text, '\t');
    const done = pasted(cells, isEmpty ? { top: 0, bottom: 0, left: 0, right: 0 } : area, rows, fields);
    const whole = await data.perform(done);
    if (whole) {
      select({
        anchor: { row: done.area.top, column: done.area.left },
        active: { row: done.area.bottom, column: done.area.right },
      });
      say(count('grid.pasted', cells.length), { label: t('base.undo'), perform: () => data.undo() });
    }
    if (done.cut > 0) {
      complain(failure('CUT', { message: count('grid.cut', done.cut) }));
    }
  };
  const onPaste = (event: ClipboardEvent): void => {
    const text = event.clipboardData?.getData('text/plain') ?? '';
    if (!isEditing && text !== '' && fields.length > 0 && may('WRITE_TABLE')) {
      event.preventDefault();
      void paste(text);
    }
  };
  return { onCopy, onCut, onPaste };
}
