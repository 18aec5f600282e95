import { useEffect, useId, useRef } from 'preact/hooks';
import type { ComponentChildren } from 'preact';
import { Button } from '../../base/components/Button';
import { Icon } from '../../base/components/Icon';
import { t } from '../../base/text';
import { useTell } from '../data/useTell';
import { activeField, dataPicker } from './active';
import { caretAtEnd, insertToken, render, serialize } from './chips';

interface Props {
  label: string;
  value: string;
  onValue: (value: string) => void;
  help?: ComponentChildren;
  problem?: string | undefined;
  required?: boolean;
  multiline?: boolean;
  placeholder?: string;
  /** Beside the label. */
  aside?: ComponentChildren;
  /** Within a row that says what it is. */
  bare?: boolean;
}

/** A text that may hold references; each is a chip that reads as what it refers to. */
export function Expression({ label, value, onValue, help, problem, required, multiline, placeholder, aside, bare }: Props) {
  const id = useId();
  const editor = useRef<HTMLDivElement>(null);
  const shown = useRef<string>();
  /** What has been typed and has not come back yet as the value. */
  const typed = useRef<string[]>([]);
  const latest = useRef(onValue);
  latest.current = onValue;
  const told = useTell();
  useEffect(() => {
    const element = editor.current!;
    const echo = typed.current.indexOf(value);
    if (echo >= 0) {
      typed.current.splice(0, echo + 1);
      if (element.dataset['told'] === told.key) {
        return;
      }
    }
    // What is being typed stays; what comes from elsewhere (undo, the server) is shown.
    if (shown.current !== value || element.dataset['told'] !== told.key) {
      const focused = element.contains(document.activeElement) && document.activeElement === element;
      if (!(focused && shown.current === value)) {
        render(element, value, told.of);
        element.dataset['told'] = told.key;
        shown.current = value;
        if (focused) {
          caretAtEnd(element);
        }
      }
    }
  }, [value, told.key]);
  const changed = (): void => {
    const text = serialize(editor.current!);
    shown.current = text;
    typed.current.push(text);
    latest.current(text);
  };
  const activate = (): void => activeField.set({
    id,
    insert: (token) => {
      insertToken(editor.current!, token, told.of);
      changed();
    },
    focus: () => editor.current?.focus(),
  });
  const broken = problem ?? told.problemOf(value);
  return (
    <div class={bare ? 'field bare' : 'field'}>
      {bare ? null : (
        <div class="label">
          <span id={`${id}-label`}>{label}{required ? <span class="must" aria-hidden="true"> *</span> : null}</span>
          <span class="spread" />
          {aside}
        </div>
      )}
      <div class="expression">
        <div ref={editor} id={id} class="input" role="textbox" contentEditable="true" tabIndex={0} spellcheck={false} data-placeholder={placeholder ?? ''} data-field={label}
          aria-multiline={multiline ?? false} aria-label={bare ? label : undefined} aria-labelledby={bare ? undefined : `${id}-label`} aria-required={required ?? false}
          aria-invalid={broken ? 'true' : undefined} aria-describedby={broken || help ? `${id}-told` : undefined} data-multiline={multiline ?? false}
          onFocus={activate} onInput={changed}
          onPaste={(event) => {
            event.preventDefault();
            const text = event.clipboardData?.getData('text/plain') ?? '';
            document.execCommand('insertText', false, multiline ? text : text.replace(/\s*\n\s*/g, ' '));
            if (text.includes('{{')) {
              render(editor.current!, serialize(editor.current!), told.of);
              caretAtEnd(editor.current!);
              changed();
            }
          }}
          onBlur={() => render(editor.current!, serialize(editor.current!), told.of)}
          onKeyDown={(event) => {
            if (event.key === 'Enter' && !multiline) {
              event.preventDefault();
            } else if (event.key === ' ' && event.ctrlKey) {
              event.preventDefault();
              dataPicker.set(true);
            }
          }} />
        <Button kind="quiet" size="small" icon="braces" label={t('data.insert')} shortcut="Ctrl+Space" more={{ 'aria-expanded': dataPicker.get() && activeField.get()?.id === id }}
          onClick={() => {
            activate();
            dataPicker.set(true);
          }} />
      </div>
      {broken ? <div class="problem" id={`${id}-told`}><Icon name="circle-alert" size={14} />{broken}</div> : help ? <div class="help" id={`${id}-told`}>{help}</div> : null}
    </div>
  );
}
