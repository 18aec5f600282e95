import { useId, useState } from 'preact/hooks';
import { Checkbox } from '../../base/components/Field';
import { Notice, Skeleton } from '../../base/components/States';
import { useRoleMay } from '../../base/permissions';
import { found } from '../../base/search';
import { t } from '../../base/text';
import { Framed, OrExpression } from './Dynamic';
import { labelOf, textOf, type FieldProps } from './scope';
import { useChoices } from './useChoices';

const SEARCHED_FROM = 8;

export function MultiChoiceField(props: FieldProps) {
  return <OrExpression {...props}>{(toggle) => <ChooseMany {...props} toggle={toggle} />}</OrExpression>;
}

function ChooseMany({ name, property, value, onValue, toggle }: FieldProps & { toggle: preact.ComponentChildren }) {
  const id = useId();
  const [typed, setTyped] = useState('');
  const { value: choices, failure, loading } = useChoices(name, property, typed);
  const chosen = Array.isArray(value) ? (value as unknown[]) : [];
  const canLoad = useRoleMay('WRITE_FLOW');
  const options = choices?.options ?? (canLoad ? [] : chosen.map((each) => ({ label: textOf(each), value: each })));
  const marks = new Set(chosen.map((each) => JSON.stringify(each)));
  return (
    <Framed
      id={id}
      label={labelOf(name, property)}
      required={property.required}
      help={property.description}
      aside={toggle}>
      <div id={id} class="choices" role="group" aria-label={labelOf(name, property)}>
        {options.length > SEARCHED_FROM ? (
          <input
            class="input small"
            type="search"
            aria-label={t('base.search')}
            placeholder={t('base.search')}
            value={typed}
            onInput={(event) => setTyped(event.currentTarget.value)}
          />
        ) : null}
        {loading && options.length === 0 ? <Skeleton lines={2} /> : null}
        {(typed === '' ? options : found(options, typed, (option) => option.label)).map((option) => {
          const mark = JSON.stringify(option.value);
          return (
            <Checkbox
              key={mark}
              checked={marks.has(mark)}
              label={option.label}
              disabled={choices?.disabled ?? false}
              onChange={(on) =>
                onValue(on ? [...chosen, option.value] : chosen.filter((each) => JSON.stringify(each) !== mark))
              }
            />
          );
        })}
        {!loading && options.length === 0 ? <p class="faint">{choices?.placeholder ?? t('field.noChoices')}</p> : null}
      </div>
      {failure ? <Notice failure={failure} /> : null}
    </Framed>
  );
}
