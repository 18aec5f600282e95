import { createStore } from '../../base/store';

/** The field that has the caret, or had it last: where the data picker puts what is chosen. */
export interface ActiveField {
  id: string;
  insert: (token: string) => void;
  focus: () => void;
}

export const activeField = createStore<ActiveField | undefined>(undefined);
/** Whether the data picker is open. */
export const dataPicker = createStore(false);
