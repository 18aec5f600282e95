import type { ComponentChildren, JSX } from 'preact';
import { useId } from 'preact/hooks';
import { t } from '../text';
import { Icon } from './Icon';

export interface FieldFrame {
  label: string;
  help?: ComponentChildren;
  /** Problem of the value, shown instead of the help. */
  problem?: string | undefined;
  optional?: boolean;
}

interface Wiring {
  id: string;
  'aria-invalid': 'true' | undefined;
  'aria-describedby': string | undefined;
}

export function Field({
  label,
  help,
  problem,
  optional,
  children,
}: FieldFrame & { children: (wiring: Wiring) => ComponentChildren }) {
  const id = useId();
  const told = problem ?? help;
  return (
    <div class="field">
      <label class="label" for={id}>
        {label}
        {optional ? <span class="faint">{t('base.optional')}</span> : null}
      </label>
      {children({
        id,
        'aria-invalid': problem ? 'true' : undefined,
        'aria-describedby': told ? `${id}-told` : undefined,
      })}
      {problem ? (
        <div class="problem" id={`${id}-told`}>
          <Icon name="circle-alert" size={14} />
          {problem}
        </div>
      ) : help ? (
        <div class="help" id={`${id}-told`}>
          {help}
        </div>
      ) : null}
    </div>
  );
}

export function NameField({
  label = t('flows.column.name'),
  value,
  onValue,
  problems,
  lengthMax,
}: {
  label?: string;
  value: string;
  onValue: (value: string) => void;
  problems: Record<string, string>;
  lengthMax?: number;
}) {
  const control = lengthMax === undefined ? { name: 'displayName' } : { name: 'displayName', maxLength: lengthMax };
  return (
    <TextField label={label} value={value} onValue={onValue} problem={problems['displayName']} control={control} />
  );
}

type TextFieldProps = FieldFrame & {
  value: string;
  onValue: (value: string) => void;
  control?: Omit<JSX.IntrinsicElements['input'], 'value'>;
};

export function TextField({ value, onValue, control, ...frame }: TextFieldProps) {
  return (
    <Field {...frame}>
      {(wiring) => (
        <input
          class="input"
          {...control}
          {...wiring}
          value={value}
          onInput={(event) => onValue(event.currentTarget.value)}
        />
      )}
    </Field>
  );
}

type SelectFieldProps = FieldFrame & {
  value: string;
  onValue: (value: string) => void;
  options: ReadonlyArray<{ value: string; label: string }>;
  /** Label of the empty option; without it one option is always selected. */
  empty?: string;
};

export function SelectField({ value, onValue, options, empty, ...frame }: SelectFieldProps) {
  return (
    <Field {...frame}>
      {(wiring) => (
        <span class="select">
          <select class="input" {...wiring} value={value} onChange={(event) => onValue(event.currentTarget.value)}>
            {empty === undefined ? null : <option value="">{empty}</option>}
            {options.map((option) => (
              <option key={option.value} value={option.value}>
                {option.label}
              </option>
            ))}
          </select>
          <Icon name="chevrons-up-down" size={14} />
        </span>
      )}
    </Field>
  );
}

/** Select without a visible label, for lines of a list. */
export function SmallSelect({
  label,
  value,
  onValue,
  disabled = false,
  children,
}: {
  label: string;
  value: string;
  onValue: (value: string) => void;
  disabled?: boolean;
  children: ComponentChildren;
}) {
  return (
    <span class="select">
      <select
        class="input small"
        aria-label={label}
        value={value}
        disabled={disabled}
        onChange={(event) => onValue(event.currentTarget.value)}>
        {children}
      </select>
      <Icon name="chevrons-up-down" size={14} />
    </span>
  );
}

/** Search box; Escape clears it. */
export function SearchField({
  label,
  value,
  onValue,
}: {
  label: string;
  value: string;
  onValue: (value: string) => void;
}) {
  return (
    <label class="with-icon">
      <Icon name="search" />
      <span class="visually-hidden">{label}</span>
      <input
        class="input small"
        type="search"
        placeholder={label}
        value={value}
        data-search
        onInput={(event) => onValue(event.currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key === 'Escape' && value !== '') {
            event.stopPropagation();
            onValue('');
          }
        }}
      />
    </label>
  );
}

export function Switch({
  on,
  label,
  disabled = false,
  onChange,
}: {
  on: boolean;
  label: string;
  disabled?: boolean;
  onChange: (on: boolean) => void;
}) {
  return (
    <button
      class="switch"
      type="button"
      role="switch"
      aria-checked={on}
      aria-label={label}
      disabled={disabled}
      onClick={() => onChange(!on)}>
      <span />
    </button>
  );
}

export function Checkbox({
  checked,
  label,
  onChange,
  disabled = false,
}: {
  checked: boolean;
  label: ComponentChildren;
  disabled?: boolean;
  onChange: (checked: boolean) => void;
}) {
  return (
    <label class="check">
      <input
        type="checkbox"
        checked={checked}
        disabled={disabled}
        onChange={(event) => onChange(event.currentTarget.checked)}
      />
      <span>{label}</span>
    </label>
  );
}
