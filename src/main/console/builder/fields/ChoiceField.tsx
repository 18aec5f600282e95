import { useId, useState } from 'preact/hooks';
import { Button } from '../../base/components/Button';
import { Combobox } from '../../base/components/Combobox';
import { Notice } from '../../base/components/States';
import { parseJson } from '../../base/json';
import { linkTo } from '../../base/router';
import { t } from '../../base/text';
import { useSettled } from '../../base/useSettled';
import { useBuilder } from '../context';
import { Framed, OrExpression } from './Dynamic';
import { labelOf, useScope, type FieldProps } from './scope';
import { useChoices } from './useChoices';

/** Pause after the last key press before the piece is asked for options. */
const SEARCH_MS = 250;

export function ChoiceField(props: FieldProps) {
  return <OrExpression {...props}>{(toggle) => <Choose {...props} toggle={toggle} />}</OrExpression>;
}

function Choose({ name, property, value, onValue, toggle }: FieldProps & { toggle: preact.ComponentChildren }) {
  const id = useId();
  const [typed, setTyped] = useState('');
  const { step } = useScope();
  const { value: choices, failure, loading, reload } = useChoices(name, property, useSettled(typed, SEARCH_MS));
  const options = (choices?.options ?? []).map((option) => ({
    value: JSON.stringify(option.value),
    label: option.label,
    about: option.description,
  }));
  const written = value === undefined || value === null || value === '' ? '' : JSON.stringify(value);
  const known = written === '' || options.some((option) => option.value === written);
  const asked = property.type === 'DROPDOWN';
  const isWaiting = loading && options.length === 0;
  return (
    <Framed
      id={id}
      label={labelOf(name, property)}
      required={property.required}
      help={property.description}
      aside={
        <>
          {asked ? (
            <Button
              kind="quiet"
              size="small"
              icon="refresh-cw"
              busy={loading}
              label={t('field.reload')}
              onClick={reload}
            />
          ) : null}
          {toggle}
        </>
      }>
      <Combobox
        key={step.name}
        wiring={{ id }}
        field={labelOf(name, property)}
        value={written}
        empty={isWaiting ? t('base.loading') : (choices?.placeholder ?? t('field.nothing'))}
        options={
          known || typed !== ''
            ? options
            : [{ value: written, label: typeof value === 'string' ? value : written }, ...options]
        }
        disabled={choices?.disabled === true}
        loading={isWaiting}
        {...(property.refreshOnSearch ? { onSearch: setTyped } : {})}
        onValue={(text) => onValue(text === '' ? undefined : parseJson(text))}
      />
      {choices?.disabled && options.length === 0 && choices.placeholder ? (
        <p class="help">{choices.placeholder}</p>
      ) : null}
      {step.settings.pieceName === '@activepieces/piece-tables' &&
      name === 'table_id' &&
      !loading &&
      choices &&
      options.length === 0 ? (
        <NoTable />
      ) : null}
      {failure ? <Notice failure={failure} /> : null}
    </Framed>
  );
}

function NoTable() {
  const { projectId } = useBuilder();
  return (
    <p class="help">
      {t('field.noTable')} <a {...linkTo(`/projects/${projectId}/tables`)}>{t('field.newTable')}</a>
    </p>
  );
}
