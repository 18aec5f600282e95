import { narrow } from '../router';
import { Icon } from './Icon';

/** Filter of a list by one of some values; the choice is part of the address. */
export function FilterChoice({
  name,
  label,
  any,
  value,
  options,
}: {
  /** Key in the query of the address. */
  name: string;
  label: string;
  /** Text of the option that does not filter. */
  any: string;
  value: string;
  options: Array<{ value: string; label: string }>;
}) {
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
