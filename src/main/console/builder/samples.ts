import type { Version } from './operations';
import type { Step } from './steps';

/** Step of code for tests. */
export const codeStep = (name: string, more: Partial<Step> = {}): Step => ({
  name,
  type: 'CODE',
  displayName: name,
  valid: true,
  settings: { input: {} },
  ...more,
});

/** Branch with a condition for tests. */
export const branch = (branchName: string) => ({ branchName, branchType: 'CONDITION' as const, conditions: [[]] });

/** Version with these steps behind its trigger, for tests. */
export const versionOf = (nextAction: Step): Version => ({
  displayName: 'Orders',
  notes: [],
  trigger: { name: 'trigger', type: 'PIECE_TRIGGER', displayName: 'T', valid: true, settings: {}, nextAction },
});
