import { useId } from 'preact/hooks';
import { Icon } from '../Icon';
import { t } from '../text';
import { FileField } from './FileField';
import type { Input, Value, Wiring } from './inputs';

export interface FieldProps {
  input: Input;
  value: Value;
  problem?: string | undefined;
  disabled: boolean;
  onValue: (value: Value) => void;
}

export function InputField(props: FieldProps) {
  const { input, problem, disabled } = props;
  const id = useId();
  const told = problem ?? input.help;
  const wiring: Wiring = {
    id,
    disabled,
    'aria-required': input.required,
    'aria-invalid': problem ? 'true' : undefined,
    'aria-describedby': told ? `${id}-told` : undefined,
  };
  return (
    <div class={input.type === 'toggle' ? 'field toggle-field' : 'field'}>
      <label class="label" for={id}>
        {input.label}
        {input.required && input.type !== 'toggle' ? <span class="required">{t('form.required')}</span> : null}
      </label>
      <Control {...props} wiring={wiring} />
      {problem ? (
        <div class="problem" id={`${id}-told`}>
          <Icon name="circle-alert" size={14} />
          {problem}
        </div>
      ) : input.help ? (
        <div class="help" id={`${id}-told`}>
          {input.help}
        </div>
      ) : null}
    </div>
  );
}

function Control({ input, value, onValue, wiring }: FieldProps & { wiring: Wiring }) {
  const text = typeof value === 'string' ? value : '';
  switch (input.type) {
    case 'text':
      return (
        <input
          class="input"
          type="text"
          name={input.key}
          {...wiring}
          value={text}
          onInput={(event) => onValue(event.currentTarget.value)}
        />
      );
    case 'text_area':
      return (
        <textarea
          class="input"
          name={input.key}
          rows={5}
          {...wiring}
          value={text}
          onInput={(event) => onValue(event.currentTarget.value)}
        />
      );
    case 'toggle':
      return <Toggle name={input.key} wiring={wiring} on={value === true} onChange={onValue} />;
    case 'file':
      return (
        <FileField name={input.key} wiring={wiring} file={value instanceof File ? value : undefined} onFile={onValue} />
      );
  }
}

function Toggle({
  name,
  wiring,
  on,
  onChange,
}: {
  name: string;
  wiring: Wiring;
  on: boolean;
  onChange: (on: boolean) => void;
}) {
  const { 'aria-required': _, ...rest } = wiring;
  return (
    <span class="toggle">
      <input
        type="checkbox"
        role="switch"
        name={name}
        {...rest}
        checked={on}
        onChange={(event) => onChange(event.currentTarget.checked)}
      />
      <span class="faint" aria-hidden>
        {t(on ? 'form.toggle.on' : 'form.toggle.off')}
      </span>
    </span>
  );
}
