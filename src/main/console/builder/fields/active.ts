import { createStore } from '../../base/store';

/** Field with the caret, or the last one that had it: target of the data picker. */
export interface ActiveField {
  id: string;
  insert: (token: string) => void;
  focus: () => void;
}

export const activeField = createStore<ActiveField | undefined>(undefined);
/** True while the data picker is open. */
export const dataPicker = createStore(false);
