import { narrow } from '../router';
import { Combobox } from './Combobox';
import { Icon } from './Icon';

interface Props {
  /** Key in the query of the address. */
  name: string;
  label: string;
  /** Text of the option that does not filter. */
  any: string;
  value: string;
  options: Array<{ value: string; label: string }>;
}

/** Filter of a list by one of a few fixed values; the choice is part of the address. */
export function FilterChoice({ name, label, any, value, options }: Props) {
  return (
    <span class="select">
      <select
        class="input small"
        aria-label={label}
        value={value}
        onChange={(event) => narrow({ [name]: event.currentTarget.value })}>
        <option value="">{any}</option>
        {options.map((option) => (
          <option key={option.value} value={option.value}>
            {option.label}
          </option>
        ))}
      </select>
      <Icon name="chevrons-up-down" size={14} />
    </span>
  );
}

/** Filter of a list by a value from data, which is searched by typing; the choice is part of the address. */
export function FilterCombo({ name, label, any, value, options }: Props) {
  return (
    <Combobox
      small
      field={name}
      label={label}
      empty={any}
      value={value}
      options={options}
      onValue={(chosen) => narrow({ [name]: chosen })}
    />
  );
}
