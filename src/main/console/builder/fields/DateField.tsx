import { Button } from '../../base/components/Button';
import { t } from '../../base/text';
import { useRef } from 'preact/hooks';
import { isNoDate } from './dates';
import { Expression } from './Expression';
import { labelOf, textOf, type FieldProps } from './scope';

export function DateField({ name, property, value, onValue }: FieldProps) {
  const input = useRef<HTMLInputElement>(null);
  return (
    <div class="with-native">
      <Expression
        label={labelOf(name, property)}
        value={textOf(value)}
        problem={isNoDate(textOf(value)) ? t('field.notDate') : undefined}
        onValue={onValue}
        required={property.required ?? false}
        help={property.description || t('field.date')}
        placeholder="2026-01-31T09:00:00Z"
        aside={
          <Button
            kind="quiet"
            size="small"
            icon="calendar"
            label={t('field.calendar')}
            onClick={() => input.current?.showPicker()}
          />
        }
      />
      <input
        ref={input}
        type="datetime-local"
        tabIndex={-1}
        aria-hidden="true"
        onChange={(event) => {
          const time = new Date(event.currentTarget.value);
          if (!Number.isNaN(time.getTime())) {
            onValue(time.toISOString());
          }
        }}
      />
    </div>
  );
}
