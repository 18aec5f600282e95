import { createStore } from './store';

export type Appearance = 'system' | 'light' | 'dark';

const KEPT = 'millrace.appearance';
const kept = localStorage.getItem(KEPT);

/** Light or dark; follows the system until somebody chooses. */
export const appearance = createStore<Appearance>(kept === 'light' || kept === 'dark' ? kept : 'system');

const apply = (chosen: Appearance): void => {
  if (chosen === 'system') {
    delete document.documentElement.dataset['theme'];
    localStorage.removeItem(KEPT);
  } else {
    document.documentElement.dataset['theme'] = chosen;
    localStorage.setItem(KEPT, chosen);
  }
};

apply(appearance.get());
appearance.subscribe(apply);
