import type { IconName } from '../base/components/Icon';
import type { TextKey } from '../base/text';

/** What the bar on the left leads to, in its order. `keys` are those of the command that goes there. */
export interface Area {
  path: string;
  text: TextKey;
  icon: IconName;
  keys: string;
}

export const areas: readonly Area[] = [
  { path: 'flows', text: 'nav.flows', icon: 'workflow', keys: 'g f' },
  { path: 'runs', text: 'nav.runs', icon: 'activity', keys: 'g r' },
  { path: 'connections', text: 'nav.connections', icon: 'plug', keys: 'g c' },
];
