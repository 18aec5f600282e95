import { Expression } from './Expression';
import { labelOf, textOf, type FieldProps } from './scope';

const common = ({ name, property, value, onValue, problem }: FieldProps) => ({
  label: labelOf(name, property),
  value: textOf(value),
  onValue,
  problem: undefined as string | undefined,
  required: property.required ?? false,
  placeholder: property.placeholder ?? (problem ? '' : ''),
  help: property.description,
});

export const ShortTextField = (props: FieldProps) => <Expression {...common(props)} />;
export const LongTextField = (props: FieldProps) => <Expression {...common(props)} multiline />;
