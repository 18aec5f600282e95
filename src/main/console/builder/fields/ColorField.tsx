import { t } from '../../base/text';
import { Expression } from './Expression';
import { labelOf, textOf, type FieldProps } from './scope';

export function ColorField({ name, property, value, onValue }: FieldProps) {
  const text = textOf(value);
  return (
    <Expression
      label={labelOf(name, property)}
      value={text}
      onValue={onValue}
      required={property.required ?? false}
      help={property.description}
      placeholder="#2f6f5e"
      aside={
        <input
          class="color"
          type="color"
          aria-label={t('field.color')}
          value={/^#[0-9a-f]{6}$/i.test(text) ? text : '#808080'}
          onInput={(event) => onValue(event.currentTarget.value)}
        />
      }
    />
  );
}
