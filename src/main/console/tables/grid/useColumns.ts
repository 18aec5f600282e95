import { useMemo, useState } from 'preact/hooks';
import { kept } from '../../base/kept';
import type { Field } from '../model';
import { arranged, hidden, moved, readArrangement, type Arrangement } from './columns';

export interface Columns {
  fields: readonly Field[];
  hidden: number;
  move: (fieldId: string, by: -1 | 1) => void;
  hide: (fieldId: string) => void;
  showAll: () => void;
}

export function useColumns(tableId: string, all: readonly Field[]): Columns {
  const key = `millrace.columns.${tableId}`;
  const [stored, setStored] = useState(() => ({ key, arrangement: readArrangement(kept.get(key)) }));
  const arrangement = stored.key === key ? stored.arrangement : readArrangement(kept.get(key));
  const fields = useMemo(() => arranged(all, arrangement), [all, arrangement.order, arrangement.hidden]);
  const change = (after: Arrangement): void => {
    kept.set(key, JSON.stringify(after));
    setStored({ key, arrangement: after });
  };
  return {
    fields,
    hidden: all.length - fields.length,
    move: (fieldId, by) => change(moved(all, arrangement, fieldId, by)),
    hide: (fieldId) => change(hidden(all, arrangement, fieldId)),
    showAll: () => change({ ...arrangement, hidden: [] }),
  };
}
