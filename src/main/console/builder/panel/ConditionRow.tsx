import { Button } from '../../base/components/Button';
import { Combobox } from '../../base/components/Combobox';
import { Checkbox } from '../../base/components/Field';
import { t, type TextKey } from '../../base/text';
import { Expression } from '../fields/Expression';
import type { Condition } from '../steps';
import { operandProblem } from './conditions';

const FAMILIES = {
  text: [
    'TEXT_CONTAINS',
    'TEXT_DOES_NOT_CONTAIN',
    'TEXT_EXACTLY_MATCHES',
    'TEXT_DOES_NOT_EXACTLY_MATCH',
    'TEXT_START_WITH',
    'TEXT_DOES_NOT_START_WITH',
    'TEXT_ENDS_WITH',
    'TEXT_DOES_NOT_END_WITH',
  ],
  number: ['NUMBER_IS_GREATER_THAN', 'NUMBER_IS_LESS_THAN', 'NUMBER_IS_EQUAL_TO'],
  boolean: ['BOOLEAN_IS_TRUE', 'BOOLEAN_IS_FALSE'],
  date: ['DATE_IS_BEFORE', 'DATE_IS_EQUAL', 'DATE_IS_AFTER'],
  list: ['LIST_CONTAINS', 'LIST_DOES_NOT_CONTAIN', 'LIST_IS_EMPTY', 'LIST_IS_NOT_EMPTY'],
  existence: ['EXISTS', 'DOES_NOT_EXIST'],
} as const;

const OPERATORS = Object.entries(FAMILIES).flatMap(([family, operators]) =>
  operators.map((value) => ({ value: value as string, family })),
);
const SINGLE = new Set<string>([
  'BOOLEAN_IS_TRUE',
  'BOOLEAN_IS_FALSE',
  'LIST_IS_EMPTY',
  'LIST_IS_NOT_EMPTY',
  'EXISTS',
  'DOES_NOT_EXIST',
]);
const CASED = new Set<string>([...FAMILIES.text, 'LIST_CONTAINS', 'LIST_DOES_NOT_CONTAIN']);

export function ConditionRow({
  condition,
  onChange,
  onRemove,
}: {
  condition: Condition;
  onChange: (condition: Condition) => void;
  onRemove: () => void;
}) {
  const operator = condition.operator ?? 'TEXT_CONTAINS';
  const problem = operandProblem(operator, condition.secondValue ?? '');
  const choose = (next: string): void =>
    onChange(
      SINGLE.has(next)
        ? { firstValue: condition.firstValue, operator: next }
        : {
            firstValue: condition.firstValue,
            secondValue: condition.secondValue ?? '',
            operator: next,
            ...(CASED.has(next) ? { caseSensitive: condition.caseSensitive ?? false } : {}),
          },
    );
  return (
    <div class="condition">
      <div class="row">
        <div class="spread">
          <Expression
            bare
            label={t('router.firstValue')}
            placeholder={t('router.firstValue')}
            value={condition.firstValue}
            onValue={(firstValue) => onChange({ ...condition, firstValue })}
          />
        </div>
        <Button kind="quiet" size="small" icon="x" label={t('router.removeCondition')} onClick={onRemove} />
      </div>
      <Combobox
        label={t('router.operator')}
        field={t('router.operator')}
        value={operator}
        onValue={choose}
        options={OPERATORS.map(({ value, family }) => ({
          value,
          label: t(`operator.${value}` as TextKey),
          about: t(`router.family.${family}` as TextKey),
        }))}
      />
      {SINGLE.has(operator) ? null : (
        <Expression
          bare
          label={t('router.secondValue')}
          placeholder={t('router.secondValue')}
          value={condition.secondValue ?? ''}
          problem={problem ? t(problem) : undefined}
          onValue={(secondValue) => onChange({ ...condition, secondValue })}
        />
      )}
      {CASED.has(operator) ? (
        <Checkbox
          label={t('router.case')}
          checked={condition.caseSensitive ?? false}
          onChange={(caseSensitive) => onChange({ ...condition, caseSensitive })}
        />
      ) : null}
    </div>
  );
}
