import { useId, useRef, useState } from 'preact/hooks';
import { Button } from '../../base/components/Button';
import { Icon } from '../../base/components/Icon';
import { keepsNumbers } from '../../base/digits';
import { parseJson } from '../../base/json';
import { t } from '../../base/text';
import { PreviewLine } from '../data/PreviewLine';
import { usePreview } from '../data/usePreview';
import { useResolver } from '../data/useResolver';
import { FieldName } from './FieldName';
import { activeField, dataPicker } from './active';
import { Code } from './Code';
import type { CodeEditor } from './codeEditor';
import { FormulaDialog } from './FormulaDialog';
import { jsonProblem } from './jsonTemplate';
import { labelOf, textOf, type FieldProps } from './scope';

/**
 * JSON value with references as chips. A text that does not parse yet is stored as a text: the engine parses it after
 * it has resolved the references.
 */
export function JsonField({ name, property, value, onValue }: FieldProps) {
  const id = useId();
  const editor = useRef<CodeEditor>();
  const resolver = useResolver();
  const [own, setOwn] = useState(textOf(value));
  const [isEdited, setIsEdited] = useState(false);
  const [formula, setFormula] = useState<{ first: string; done: (inner: string) => void }>();
  const parsed = parse(own);
  const shown = JSON.stringify(parsed ?? own) === JSON.stringify(value ?? '') ? own : textOf(value);
  const preview = usePreview(shown, isEdited, value);
  const label = labelOf(name, property);
  const change = (text: string): void => {
    setOwn(text);
    onValue(parse(text) ?? text);
  };
  const activate = (): void => {
    setIsEdited(true);
    activeField.set({ id, insert: (token) => editor.current?.insert(token), focus: () => editor.current?.focus() });
  };
  const invalid = jsonProblem(shown);
  const problem =
    resolver.problemOf(shown) ??
    (invalid ? t('json.invalid', { line: invalid.line, reason: invalid.reason }) : undefined);
  return (
    <div class="field">
      <div class="label">
        <span>
          <FieldName text={label} required={property.required} />
        </span>
        <span class="spread" />
        <Button
          kind="quiet"
          size="small"
          icon="braces"
          label={t('data.insert')}
          more={{ 'data-insert': label }}
          onClick={() => {
            activate();
            dataPicker.set(true);
          }}
        />
      </div>
      <Code
        label={label}
        language="json"
        value={shown}
        onValue={change}
        onFocus={activate}
        onReady={(now) => {
          editor.current = now;
        }}
        references={{
          of: resolver.of,
          offers: resolver.offers,
          key: resolver.key,
          editFormula: (first, done) => setFormula({ first, done }),
        }}
      />
      {formula ? (
        <FormulaDialog
          first={formula.first}
          offers={resolver.offers()}
          onClose={() => setFormula(undefined)}
          onDone={formula.done}
        />
      ) : null}
      <PreviewLine preview={preview} />
      {problem ? (
        <div class="problem" data-json-problem>
          <Icon name="circle-alert" size={14} />
          {problem}
        </div>
      ) : property.description ? (
        <div class="help">{property.description}</div>
      ) : null}
    </div>
  );
}

/** Parses objects and lists; other JSON values are ordinary texts, and so is JSON with numbers that a browser would round. */
function parse(text: string): unknown {
  if (!keepsNumbers(text)) {
    return undefined;
  }
  try {
    const value = parseJson(text);
    return value !== null && typeof value === 'object' ? value : undefined;
  } catch {
    return undefined;
  }
}
