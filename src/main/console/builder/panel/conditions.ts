import type { TextKey } from '../../base/text';
import { hasTokens } from '../data/references';
import { isNoDate } from '../fields/dates';

/** Problem of a typed operand: a number or a date is expected, and the text is neither that nor a reference. */
export function operandProblem(operator: string, operand: string): TextKey | undefined {
  const text = operand.trim();
  if (text === '' || text.includes('{{') || hasTokens(text)) {
    return undefined;
  }
  if (operator.startsWith('NUMBER_')) {
    return Number.isNaN(Number(text)) ? 'router.notNumber' : undefined;
  }
  return operator.startsWith('DATE_') && isNoDate(text) ? 'router.notDate' : undefined;
}
