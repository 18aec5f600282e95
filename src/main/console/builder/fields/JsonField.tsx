import { useState } from 'preact/hooks';
import { t } from '../../base/text';
import { Code } from './Code';
import { labelOf, textOf, type FieldProps } from './scope';

/** Any value as JSON; what does not parse yet is kept as a text, as the engine reads it with its references filled in. */
export function JsonField({ name, property, value, onValue }: FieldProps) {
  const [own, keep] = useState(textOf(value));
  const parsed = parse(own);
  const shown = JSON.stringify(parsed ?? own) === JSON.stringify(value ?? '') ? own : textOf(value);
  const change = (text: string): void => {
    keep(text);
    onValue(parse(text) ?? text);
  };
  const broken = shown.trim() !== '' && parse(shown) === undefined && !shown.includes('{{');
  return (
    <div class="field">
      <div class="label"><span>{labelOf(name, property)}{property.required ? <span class="must" aria-hidden="true"> *</span> : null}</span></div>
      <Code label={labelOf(name, property)} language="json" value={shown} onValue={change} />
      {broken ? <div class="problem">{t('field.badJson')}</div> : property.description ? <div class="help">{property.description}</div> : null}
    </div>
  );
}

/** Objects and lists; other values of JSON are texts like any. */
function parse(text: string): unknown {
  try {
    const value = JSON.parse(text) as unknown;
    return value !== null && typeof value === 'object' ? value : undefined;
  } catch {
    return undefined;
  }
}
