import type { Version } from './operations';
import type { Step } from './steps';

export const codeStep = (name: string, more: Partial<Step> = {}): Step => ({
  name,
  type: 'CODE',
  displayName: name,
  valid: true,
  settings: { input: {} },
  ...more,
});

export const branch = (branchName: string) => ({ branchName, branchType: 'CONDITION' as const, conditions: [[]] });

export const versionOf = (nextAction: Step): Version => ({
  displayName: 'Orders',
  notes: [],
  trigger: { name: 'trigger', type: 'PIECE_TRIGGER', displayName: 'T', valid: true, settings: {}, nextAction },
});
