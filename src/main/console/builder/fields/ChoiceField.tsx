import { useId, useState } from 'preact/hooks';
import { Button } from '../../base/components/Button';
import { Icon } from '../../base/components/Icon';
import { Notice } from '../../base/components/States';
import { found } from '../../base/search';
import { t } from '../../base/text';
import { Framed, OrExpression } from './Dynamic';
import { labelOf, useScope, type FieldProps } from './scope';
import { useChoices } from './useChoices';

const SEARCHED_FROM = 30;

/** Selection of one option. */
export function ChoiceField(props: FieldProps) {
  return <OrExpression {...props}>{(toggle) => <Choose {...props} toggle={toggle} />}</OrExpression>;
}

function Choose({ name, property, value, onValue, toggle }: FieldProps & { toggle: preact.ComponentChildren }) {
  const id = useId();
  const [typed, type] = useState('');
  const { step } = useScope();
  const { value: choices, failure, loading, reload } = useChoices(name, property, typed);
  const options = choices?.options ?? [];
  const shown = typed === '' ? options : found(options, typed, (option) => option.label);
  const written = value === undefined || value === null || value === '' ? '' : JSON.stringify(value);
  const known = options.some((option) => JSON.stringify(option.value) === written);
  const asked = property.type === 'DROPDOWN';
  return (
    <Framed id={id} label={labelOf(name, property)} required={property.required} help={property.description}
      aside={<>{asked ? <Button kind="quiet" size="small" icon="refresh-cw" busy={loading} label={t('field.reload')} onClick={reload} /> : null}{toggle}</>}>
      {options.length > SEARCHED_FROM || property.refreshOnSearch ? (
        <input class="input small" type="search" aria-label={t('base.search')} placeholder={t('base.search')} value={typed} onInput={(event) => type(event.currentTarget.value)} />
      ) : null}
      <span class="select">
        <select id={id} class="input" data-field={labelOf(name, property)} value={written} disabled={choices?.disabled || (loading && options.length === 0)}
          onChange={(event) => onValue(event.currentTarget.value === '' ? undefined : JSON.parse(event.currentTarget.value))} key={step.name}>
          <option value="">{loading && options.length === 0 ? t('base.loading') : choices?.placeholder ?? t('field.nothing')}</option>
          {written !== '' && !known ? <option value={written}>{typeof value === 'string' ? value : written}</option> : null}
          {shown.map((option) => <option key={JSON.stringify(option.value)} value={JSON.stringify(option.value)}>{option.label}</option>)}
        </select>
        <Icon name="chevrons-up-down" size={14} />
      </span>
      {choices?.disabled && options.length === 0 && choices.placeholder ? <p class="help">{choices.placeholder}</p> : null}
      {failure ? <Notice failure={failure} /> : null}
    </Framed>
  );
}
