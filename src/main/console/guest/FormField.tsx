import { useRef } from 'preact/hooks';
import { Button } from '../base/components/Button';
import { Field, TextField } from '../base/components/Field';
import { t } from '../base/text';
import type { Input, Value } from './form';

interface FormFieldProps {
  input: Input;
  name: string;
  value: Value;
  problem: string | undefined;
  onValue: (value: Value) => void;
}

/** One question of a form, by its type; one that this page does not know is a line of text. */
export function FormField({ input, name, value, problem, onValue }: FormFieldProps) {
  const frame = { label: input.displayName, help: input.description || undefined, problem, optional: !input.required && input.type !== 'toggle' };
  const text = typeof value === 'string' ? value : '';
  switch (input.type) {
    case 'text_area':
      return (
        <Field {...frame}>
          {(wiring) => <textarea class="input" rows={5} name={name} {...wiring} value={text} onInput={(event) => onValue(event.currentTarget.value)} />}
        </Field>
      );
    case 'toggle':
      return (
        <div class="field">
          <label class="guest-toggle">
            <input type="checkbox" name={name} checked={value === true} onChange={(event) => onValue(event.currentTarget.checked)} />
            <span>{input.displayName}</span>
          </label>
          {input.description ? <div class="help">{input.description}</div> : null}
        </div>
      );
    case 'file':
      return <FileField {...frame} name={name} file={value instanceof File ? value : undefined} onFile={onValue} />;
    default:
      return <TextField {...frame} value={text} onValue={onValue} control={{ name }} />;
  }
}

type FileFieldProps = { label: string; help: string | undefined; problem: string | undefined; optional: boolean; name: string; file: File | undefined; onFile: (file: File | undefined) => void };

function FileField({ name, file, onFile, ...frame }: FileFieldProps) {
  const chooser = useRef<HTMLInputElement>(null);
  const clear = (): void => {
    if (chooser.current) {
      chooser.current.value = '';
      chooser.current.focus();
    }
    onFile(undefined);
  };
  return (
    <Field {...frame}>
      {(wiring) => (
        <span class="guest-chooser">
          <input ref={chooser} class="input" type="file" name={name} {...wiring} onChange={(event) => onFile(event.currentTarget.files?.[0])} />
          {file ? <Button kind="quiet" icon="x" label={t('guest.file.remove', { name: file.name })} onClick={clear} /> : null}
        </span>
      )}
    </Field>
  );
}
