import { TextField } from '../base/components/Field';
import { t } from '../base/text';
import type { FormField } from './secrets/vendors';

interface Props {
  fields: readonly FormField[];
  typed: Record<string, string>;
  type: (typed: Record<string, string>) => void;
  problems: Record<string, string>;
  /** Path prefix of the fields in violations, such as `config.`. */
  at: string;
}

export function ListedFields({ fields, typed, type, problems, at }: Props) {
  return (
    <>
      {fields.map((field) => (
        <TextField
          key={field.name}
          label={t(field.text)}
          {...(field.optional ? { optional: true } : {})}
          value={typed[field.name] ?? ''}
          onValue={(value) => type({ ...typed, [field.name]: value })}
          problem={problems[at + field.name]}
          control={{
            name: field.name,
            placeholder: field.placeholder,
            spellcheck: false,
            autocomplete: 'off',
            type: field.secret ? 'password' : 'text',
          }}
        />
      ))}
    </>
  );
}
