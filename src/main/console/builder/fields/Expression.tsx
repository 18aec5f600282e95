import { useEffect, useId, useRef, useState } from 'preact/hooks';
import type { ComponentChildren } from 'preact';
import { Button } from '../../base/components/Button';
import { Icon } from '../../base/components/Icon';
import { useMay } from '../../base/permissions';
import { t } from '../../base/text';
import { askedFor, fitting, wordBefore, type Offer } from '../data/completions';
import { formulaToken, innerOf, isFormula } from '../data/formulas';
import { PreviewLine } from '../data/PreviewLine';
import { usePreview } from '../data/usePreview';
import { useResolver } from '../data/useResolver';
import { FieldName } from './FieldName';
import { activeField, dataPicker } from './active';
import {
  beforeCaret,
  caretAtEnd,
  caretAtPoint,
  chipsOf,
  dropAsked,
  insertToken,
  REFERENCE,
  render,
  serialize,
} from './chips';
import { FormulaDialog } from './FormulaDialog';
import { OfferList, steerOffers } from './OfferList';
import { TypedTexts } from './typedTexts';

interface Props {
  label: string;
  value: string;
  onValue: (value: string) => void;
  help?: ComponentChildren;
  problem?: string | undefined;
  required?: boolean;
  multiline?: boolean;
  placeholder?: string;
  aside?: ComponentChildren;
  /** Without label, in a row that has one. */
  bare?: boolean;
}

interface Asked {
  word: string;
  by: 'braces' | 'key';
}

export function Expression({
  label,
  value,
  onValue,
  help,
  problem,
  required,
  multiline,
  placeholder,
  aside,
  bare,
}: Props) {
  const id = useId();
  const editor = useRef<HTMLDivElement>(null);
  const shown = useRef<string>();
  const typed = useRef(new TypedTexts());
  const latest = useRef(onValue);
  latest.current = onValue;
  const resolver = useResolver();
  const mayWrite = useMay('WRITE_FLOW');
  const [asked, setAsked] = useState<Asked>();
  const [at, setAt] = useState(0);
  const [formula, setFormula] = useState<{ first: string; chip?: number }>();
  /** The preview stays after the focus has left: controls below would move under the pointer. */
  const [isEdited, setIsEdited] = useState(false);
  const offers = asked === undefined ? [] : fitting(resolver.offers(), asked.word);
  const preview = usePreview(value, isEdited);
  useEffect(() => {
    const element = editor.current!;
    const order = typed.current.compare(value);
    if (order === 'behind' || (order === 'latest' && element.dataset['resolved'] === resolver.key)) {
      return;
    }
    // Keep the text that is being typed; show values from other sources (undo, the server).
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
    typed.current.add(text);
    latest.current(text);
  };
  const listen = (): void => {
    changed();
    const before = beforeCaret(editor.current!);
    const braces = askedFor(before);
    setAsked((now) =>
      braces !== undefined
        ? { word: braces, by: 'braces' }
        : now?.by === 'key'
          ? { word: wordBefore(before), by: 'key' }
          : undefined,
    );
    setAt(0);
  };
  /** Completions by key: for the word before the caret, or for all data if nothing matches. A second press opens the data picker. */
  const complete = (): void => {
    if (offers.length > 0) {
      setAsked(undefined);
      dataPicker.set(true);
      return;
    }
    const word = wordBefore(beforeCaret(editor.current!));
    setAsked({ word: fitting(resolver.offers(), word).length > 0 ? word : '', by: 'key' });
    setAt(0);
  };
  const choose = (offer: Offer | undefined): void => {
    setAsked(undefined);
    if (offer) {
      dropAsked(editor.current!, asked?.by === 'key' ? asked.word.length : undefined);
      if (offer.kind === 'data') {
        insertToken(editor.current!, offer.token, resolver.of);
        changed();
      } else if (offer.formula.parameters === '') {
        insertToken(editor.current!, formulaToken(`${offer.formula.name}()`), resolver.of);
        changed();
      } else {
        setFormula({ first: `${offer.formula.name}(` });
      }
    }
  };
  const put = (inner: string): void => {
    const text = formulaToken(inner);
    const chip = formula?.chip === undefined ? undefined : chipsOf(editor.current!)[formula.chip];
    if (chip) {
      chip.dataset['token'] = text;
      render(editor.current!, serialize(editor.current!), resolver.of);
    } else {
      insertToken(editor.current!, text, resolver.of);
    }
    changed();
  };
  const activate = (): void =>
    activeField.set({
      id,
      insert: (token) => {
        insertToken(editor.current!, token, resolver.of);
        changed();
      },
      focus: () => editor.current?.focus(),
    });
  const broken = problem ?? resolver.problemOf(value);
  return (
    <div class={bare ? 'field unlabelled' : 'field'}>
      {bare ? null : (
        <div class="label">
          <span id={`${id}-label`}>
            <FieldName text={label} required={required} />
          </span>
          <span class="spread" />
          {aside}
        </div>
      )}
      <div class="expression">
        <div
          ref={editor}
          id={id}
          class="input"
          role="textbox"
          contentEditable={mayWrite}
          tabIndex={0}
          spellcheck={false}
          data-placeholder={placeholder ?? ''}
          data-field={label}
          aria-multiline={multiline ?? false}
          aria-label={bare ? label : undefined}
          aria-labelledby={bare ? undefined : `${id}-label`}
          aria-required={required ?? false}
          aria-invalid={broken ? 'true' : undefined}
          aria-autocomplete="list"
          aria-controls={offers.length > 0 ? `${id}-offers` : undefined}
          aria-activedescendant={offers.length > 0 ? `${id}-offers-${at}` : undefined}
          aria-describedby={broken || help ? `${id}-hint` : undefined}
          data-multiline={multiline ?? false}
          onFocus={() => {
            activate();
            setIsEdited(true);
          }}
          onInput={listen}
          onDragOver={(event) => event.dataTransfer?.types.includes(REFERENCE) && event.preventDefault()}
          onDrop={(event) => {
            const token = event.dataTransfer?.getData(REFERENCE);
            if (token) {
              event.preventDefault();
              caretAtPoint(editor.current!, event.clientX, event.clientY);
              insertToken(editor.current!, token, resolver.of);
              changed();
            }
          }}
          onClick={(event) => {
            const chip = (event.target as HTMLElement).closest<HTMLElement>('[data-token]');
            const token = chip?.dataset['token'] ?? '';
            if (chip && isFormula(token)) {
              setFormula({ first: innerOf(token), chip: chipsOf(editor.current!).indexOf(chip) });
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
            setAsked(undefined);
            typed.current.clear();
            if (editor.current) {
              render(editor.current, serialize(editor.current), resolver.of);
            }
          }}
          onKeyDown={(event) => {
            if (
              steerOffers(
                event,
                offers.length,
                at,
                setAt,
                () => choose(offers[at]),
                () => setAsked(undefined),
              )
            ) {
              return;
            }
            if (event.key === ' ' && event.ctrlKey) {
              event.preventDefault();
              complete();
            } else if (event.key === 'Enter' && !multiline && !event.ctrlKey && !event.metaKey) {
              event.preventDefault();
            }
          }}
        />
        <Button
          kind="quiet"
          size="small"
          icon="braces"
          label={t('data.insert')}
          shortcut="Ctrl+Space"
          more={{ 'aria-expanded': dataPicker.get() && activeField.get()?.id === id }}
          onClick={() => {
            activate();
            dataPicker.set(true);
          }}
        />
        {offers.length > 0 ? <OfferList id={`${id}-offers`} offers={offers} at={at} onChoose={choose} /> : null}
      </div>
      {formula ? (
        <FormulaDialog
          first={formula.first}
          offers={resolver.offers()}
          onClose={() => setFormula(undefined)}
          onDone={put}
        />
      ) : null}
      <PreviewLine preview={preview} />
      {broken ? (
        <div class="problem" id={`${id}-hint`}>
          <Icon name="circle-alert" size={14} />
          {broken}
        </div>
      ) : help ? (
        <div class="help" id={`${id}-hint`}>
          {help}
        </div>
      ) : null}
    </div>
  );
}
