import { t } from '../base/text';
import { walk, type Step } from './steps';

/** Reason why a step cannot run, determined without its piece. */
export function reasonOf(step: Step): string {
  switch (step.type) {
    case 'EMPTY':
      return t('builder.invalid.trigger');
    case 'LOOP_ON_ITEMS':
      return t('builder.invalid.loop');
    case 'ROUTER':
      return t('builder.invalid.router');
    case 'CODE':
      return t('builder.invalid.code');
    default:
      return t(
        step.settings.actionName || step.settings.triggerName ? 'builder.invalid.fields' : 'builder.invalid.operation',
      );
  }
}

export const numbered = (trigger: Step): Array<{ step: Step; number: number }> =>
  walk(trigger).map(({ step }, index) => ({ step, number: index + 1 }));

export const invalidSteps = (trigger: Step): Array<{ step: Step; number: number }> =>
  numbered(trigger).filter(({ step }) => !step.valid && !step.skip);
