import { useState } from 'preact/hooks';
import { Button } from '../../base/components/Button';
import { FormDialog } from '../../base/components/Dialog';
import { Combobox } from '../../base/components/Combobox';
import { SmallSelect } from '../../base/components/Field';
import { t } from '../../base/text';
import { takesValue, type Filter, type Operator } from '../data/view';
import { optionsOf, type Field } from '../model';

const OPERATORS: readonly Operator[] = ['eq', 'neq', 'co', 'gt', 'gte', 'lt', 'lte', 'exists', 'not_exists'];
const ORDERED: ReadonlySet<Operator> = new Set(['gt', 'gte', 'lt', 'lte']);

const operatorsOf = (field: Field | undefined): Operator[] =>
  OPERATORS.filter(
    (operator) =>
      !field ||
      (field.type === 'TEXT' || field.type === 'STATIC_DROPDOWN' ? !ORDERED.has(operator) : operator !== 'co'),
  );

const startOf = (field: Field | undefined, fieldId: string): Filter => ({
  fieldId,
  operator: field?.type === 'TEXT' ? 'co' : 'eq',
  value: '',
});

interface Props {
  first: string | undefined;
  fields: readonly Field[];
  filters: readonly Filter[];
  onFilters: (filters: Filter[]) => void;
  close: () => void;
}

/** Conditions joined by AND. */
export function FilterDialog({ first, fields, filters, onFilters, close }: Props) {
  const fieldOf = (id: string): Field | undefined => fields.find((field) => field.id === id);
  const fresh = (id: string): Filter => startOf(fieldOf(id), id);
  const begun = first ?? (filters.length === 0 ? fields[0]?.id : undefined);
  const [all, setAll] = useState<Filter[]>(begun === undefined ? [...filters] : [...filters, fresh(begun)]);
  const put = (at: number, part: Partial<Filter>): void =>
    setAll(all.map((each, index) => (index === at ? { ...each, ...part } : each)));
  const isWhole = (filter: Filter): boolean => !takesValue(filter.operator) || filter.value !== '';
  return (
    <FormDialog
      title={t('grid.filter.title')}
      submit={t('grid.filter.apply')}
      onClose={close}
      perform={() => {
        onFilters(all.filter(isWhole));
        return Promise.resolve(undefined);
      }}>
      {() => (
        <>
          <ul class="conditions">
            {all.map((filter, at) => {
              const field = fieldOf(filter.fieldId);
              return (
                <li key={at} class="condition-line">
                  <Combobox
                    small
                    field="field"
                    label={t('grid.filter.field')}
                    value={filter.fieldId}
                    options={fields.map((each) => ({ value: each.id, label: each.name }))}
                    onValue={(id) => setAll(all.map((each, index) => (index === at ? fresh(id) : each)))}
                  />
                  <SmallSelect
                    label={t('grid.filter.operator')}
                    value={filter.operator}
                    onValue={(operator) => put(at, { operator: operator as Operator })}>
                    {operatorsOf(field).map((operator) => (
                      <option key={operator} value={operator}>
                        {t(`grid.operator.${operator}`)}
                      </option>
                    ))}
                  </SmallSelect>
                  {takesValue(filter.operator) ? (
                    <Value filter={filter} field={field} onValue={(value) => put(at, { value })} />
                  ) : (
                    <span />
                  )}
                  <Button
                    kind="quiet"
                    size="small"
                    icon="x"
                    label={t('grid.filter.remove')}
                    onClick={() => setAll(all.filter((_, index) => index !== at))}
                  />
                </li>
              );
            })}
          </ul>
          <div class="row">
            <Button
              size="small"
              icon="plus"
              disabled={fields.length === 0}
              onClick={() => setAll([...all, fresh(fields[0]!.id)])}>
              {t('grid.filter.add')}
            </Button>
            {all.length > 1 ? <span class="faint">{t('grid.filter.all')}</span> : null}
          </div>
        </>
      )}
    </FormDialog>
  );
}

function Value({
  filter,
  field,
  onValue,
}: {
  filter: Filter;
  field: Field | undefined;
  onValue: (value: string) => void;
}) {
  const label = t('grid.filter.value');
  if (field?.type === 'STATIC_DROPDOWN' && filter.operator !== 'co') {
    return (
      <Combobox
        small
        field="value"
        label={label}
        empty={t('base.none')}
        value={filter.value}
        options={optionsOf(field).map((option) => ({ value: option, label: option }))}
        onValue={onValue}
      />
    );
  }
  return (
    <input
      class="input small"
      name="value"
      aria-label={label}
      type={field?.type === 'DATE' ? 'date' : 'text'}
      inputMode={field?.type === 'NUMBER' ? 'decimal' : undefined}
      value={filter.value}
      onInput={(event) => onValue(event.currentTarget.value)}
    />
  );
}
