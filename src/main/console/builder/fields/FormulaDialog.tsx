import { useId, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { failure } from '../../base/api/failure';
import { FormDialog } from '../../base/components/Dialog';
import { t } from '../../base/text';
import { useBuilder } from '../context';
import { fitting, taken, wordBefore, type Offer } from '../data/completions';
import { callAround, exampleOf, formulaToken } from '../data/formulas';
import { checkFormulas, formulaProblems } from '../data/formulaProblems';
import { PreviewLine } from '../data/PreviewLine';
import { usePreview } from '../data/usePreview';
import { OfferList, steerOffers } from './OfferList';

interface Props {
  first: string;
  offers: readonly Offer[];
  onClose: () => void;
  onDone: (formula: string) => void;
}

export function FormulaDialog({ first, offers, onClose, onDone }: Props) {
  const { projectId } = useBuilder();
  const [text, setText] = useState(first);
  const [caret, setCaret] = useState(first.length);
  const [at, setAt] = useState(0);
  const [closed, setClosed] = useState(first !== '');
  const area = useRef<HTMLTextAreaElement>(null);
  const id = useId();
  const preview = usePreview(formulaToken(text.trim()), text.trim() !== '');
  const called = callAround(text.slice(0, caret));
  const typed = wordBefore(text.slice(0, caret));
  const shown = closed ? [] : fitting(offers, typed);
  /** Position of the caret after a completion has been inserted; typing moves the caret by itself. */
  const wanted = useRef<number | undefined>(first.length);
  useLayoutEffect(() => {
    if (wanted.current !== undefined) {
      area.current?.setSelectionRange(wanted.current, wanted.current);
      wanted.current = undefined;
    }
  }, [text]);
  const choose = (offer: Offer | undefined): void => {
    if (offer) {
      const next = taken(text, caret, offer);
      setText(next.text);
      setCaret(next.caret);
      wanted.current = next.caret;
      setClosed(true);
      area.current?.focus();
    }
  };
  return (
    <FormDialog
      title={t('formula.title')}
      submit={t('formula.insert')}
      onClose={onClose}
      disabled={text.trim() === '' || (preview?.state === 'problem' && preview.isCurrent)}
      perform={async () => {
        const formula = text.trim();
        if (!preview?.isCurrent) {
          await checkFormulas(projectId, [formula]);
        }
        const known = preview?.isCurrent && preview.state === 'problem' ? preview.problem : '';
        const problem = known || formulaProblems.get().get(formula);
        if (problem) {
          return failure('FORMULA_INVALID', { message: problem });
        }
        onDone(formula);
        return undefined;
      }}>
      {() => (
        <div class="field">
          <label class="label" for={`${id}-text`}>
            {t('formula.label')}
          </label>
          <textarea
            ref={area}
            id={`${id}-text`}
            class="input formula-text"
            autofocus
            spellcheck={false}
            value={text}
            aria-describedby={`${id}-help`}
            aria-controls={shown.length > 0 ? `${id}-offers` : undefined}
            aria-activedescendant={shown.length > 0 ? `${id}-offers-${at}` : undefined}
            onInput={(event) => {
              setText(event.currentTarget.value);
              setCaret(event.currentTarget.selectionStart);
              setClosed(wordBefore(event.currentTarget.value.slice(0, event.currentTarget.selectionStart)) === '');
              setAt(0);
            }}
            onSelect={(event) => setCaret(event.currentTarget.selectionStart)}
            onKeyDown={(event) =>
              steerOffers(
                event,
                shown.length,
                at,
                setAt,
                () => choose(shown[at]),
                () => setClosed(true),
              )
            }
          />
          {shown.length > 0 ? <OfferList id={`${id}-offers`} offers={shown} at={at} onChoose={choose} /> : null}
          {called ? (
            <div class="help" data-signature>
              {t('formula.signature', {
                signature: `${called.name}(${called.parameters})`,
                example: exampleOf(called),
              })}
            </div>
          ) : null}
          <PreviewLine preview={preview} />
          <div class="help" id={`${id}-help`}>
            {t('formula.help')}
          </div>
        </div>
      )}
    </FormDialog>
  );
}
