import { equal, test } from '../../base/testing';
import { operandProblem } from './conditions';

test('a typed operand of a number or a date is checked, a reference is not', () => {
  equal(
    ['one hundred', '100', '1e3', '', '{{step_1.output}}'].map((text) =>
      operandProblem('NUMBER_IS_GREATER_THAN', text),
    ),
    ['router.notNumber', undefined, undefined, undefined, undefined],
  );
  equal(
    ['tomorrow', '2026-12-31', '2026-12-31T09:00:00Z', '2026-13-45'].map((text) =>
      operandProblem('DATE_IS_AFTER', text),
    ),
    ['router.notDate', undefined, undefined, 'router.notDate'],
  );
  equal(operandProblem('DATE_IS_AFTER', 'ap-formula-v1::{now()}::ap-formula-v1'), undefined);
  equal(operandProblem('NUMBER_IS_EQUAL_TO', 'ap-formula-v1::{add(1; 2)}::ap-formula-v1'), undefined);
  equal(operandProblem('TEXT_CONTAINS', 'tomorrow'), undefined);
});
