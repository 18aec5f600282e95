import { useEffect, useId, useRef, useState } from 'preact/hooks';
import type { ComponentChildren } from 'preact';
import { Button } from '../../base/components/Button';
import { Icon } from '../../base/components/Icon';
import { may } from '../../base/permissions';
import { t } from '../../base/text';
import { askedFor, fitting, type Offer } from '../data/completions';
import { formulaToken, innerOf, isFormula } from '../data/formulas';
import { useResolver } from '../data/useResolver';
import { activeField, dataPicker } from './active';
import { beforeCaret, caretAtEnd, dropAsked, insertToken, render, serialize } from './chips';
import { FormulaDialog } from './FormulaDialog';
import { OfferList, steerOffers } from './OfferList';

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
  const resolver = useResolver();
  const [typedWord, ask] = useState<string>();
  const [at, move] = useState(0);
  const [formula, edit] = useState<{ first: string; chip?: HTMLElement | undefined }>();
  const offers = typedWord === undefined ? [] : fitting(resolver.offers(), typedWord);
  useEffect(() => {
    const element = editor.current!;
    const echo = typed.current.indexOf(value);
    if (echo >= 0) {
      typed.current.splice(0, echo + 1);
      if (element.dataset['resolved'] === resolver.key) {
        return;
      }
    }
    // What is being typed stays; what comes from elsewhere (undo, the server) is shown.
    if (shown.current !== value || element.dataset['resolved'] !== resolver.key) {
      const focused = element.contains(document.activeElement) && document.activeElement === element;
      if (!(focused && shown.current === value)) {
        render(element, value, resolver.of);
        element.dataset['resolved'] = resolver.key;
        shown.current = value;
        if (focused) {
          caretAtEnd(element);
        }
      }
    }
  }, [value, resolver.key]);
  const changed = (): void => {
    const text = serialize(editor.current!);
    shown.current = text;
    typed.current.push(text);
    latest.current(text);
  };
  const listen = (): void => {
    changed();
    ask(askedFor(beforeCaret(editor.current!)));
    move(0);
  };
  const choose = (offer: Offer | undefined): void => {
    ask(undefined);
    if (offer) {
      dropAsked(editor.current!);
      if (offer.kind === 'data') {
        insertToken(editor.current!, offer.token, resolver.of);
        changed();
      } else {
        edit({ first: `${offer.formula.name}(` });
      }
    }
  };
  const put = (inner: string): void => {
    const text = formulaToken(inner);
    if (formula?.chip) {
      formula.chip.dataset['token'] = text;
      render(editor.current!, serialize(editor.current!), resolver.of);
    } else {
      insertToken(editor.current!, text, resolver.of);
    }
    changed();
  };
  const activate = (): void => activeField.set({
    id,
    insert: (token) => {
      insertToken(editor.current!, token, resolver.of);
      changed();
    },
    focus: () => editor.current?.focus(),
  });
  const broken = problem ?? resolver.problemOf(value);
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
        <div ref={editor} id={id} class="input" role="textbox" contentEditable={may('WRITE_FLOW')} tabIndex={0} spellcheck={false} data-placeholder={placeholder ?? ''} data-field={label}
          aria-multiline={multiline ?? false} aria-label={bare ? label : undefined} aria-labelledby={bare ? undefined : `${id}-label`} aria-required={required ?? false}
          aria-invalid={broken ? 'true' : undefined} aria-describedby={broken || help ? `${id}-hint` : undefined} data-multiline={multiline ?? false}
          onFocus={activate} onInput={listen}
          onClick={(event) => {
            const chip = (event.target as HTMLElement).closest<HTMLElement>('[data-token]');
            const token = chip?.dataset['token'] ?? '';
            if (chip && isFormula(token)) {
              edit({ first: innerOf(token), chip });
            }
          }}
          onPaste={(event) => {
            event.preventDefault();
            const text = event.clipboardData?.getData('text/plain') ?? '';
            document.execCommand('insertText', false, multiline ? text : text.replace(/\s*\n\s*/g, ' '));
            if (text.includes('{{')) {
              render(editor.current!, serialize(editor.current!), resolver.of);
              caretAtEnd(editor.current!);
              changed();
            }
          }}
          onBlur={() => {
            ask(undefined);
            render(editor.current!, serialize(editor.current!), resolver.of);
          }}
          onKeyDown={(event) => {
            if (steerOffers(event, offers.length, at, move, () => choose(offers[at]), () => ask(undefined))) {
              return;
            }
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
        {offers.length > 0 ? <OfferList id={`${id}-offers`} offers={offers} at={at} onChoose={choose} /> : null}
      </div>
      {formula ? <FormulaDialog first={formula.first} offers={resolver.offers()} onClose={() => edit(undefined)} onDone={put} /> : null}
      {broken ? <div class="problem" id={`${id}-hint`}><Icon name="circle-alert" size={14} />{broken}</div> : help ? <div class="help" id={`${id}-hint`}>{help}</div> : null}
    </div>
  );
}
