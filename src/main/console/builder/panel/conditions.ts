import type { TextKey } from '../../base/text';

const MILLISECONDS = /^\d+$/;

/** Problem of a typed operand: a number or a date is expected, and the text is neither that nor a reference. */
export function operandProblem(operator: string, operand: string): TextKey | undefined {
  const text = operand.trim();
  if (text === '' || text.includes('{{')) {
    return undefined;
  }
  if (operator.startsWith('NUMBER_')) {
    return Number.isNaN(Number(text)) ? 'router.notNumber' : undefined;
  }
  return operator.startsWith('DATE_') && !MILLISECONDS.test(text) && Number.isNaN(Date.parse(text))
    ? 'router.notDate'
    : undefined;
}
