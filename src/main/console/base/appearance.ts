import { kept } from './kept';
import { createStore } from './store';

export type Appearance = 'system' | 'light' | 'dark';

const KEPT = 'millrace.appearance';
const before = kept.get(KEPT);

/** Follows the system until the user chooses. */
export const appearance = createStore<Appearance>(before === 'light' || before === 'dark' ? before : 'system');

const apply = (chosen: Appearance): void => {
  if (chosen === 'system') {
    delete document.documentElement.dataset['theme'];
    kept.forget(KEPT);
  } else {
    document.documentElement.dataset['theme'] = chosen;
    kept.set(KEPT, chosen);
  }
};

apply(appearance.get());
appearance.subscribe(apply);
