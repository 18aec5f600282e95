import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { Button } from '../../base/components/Button';
import { useMay } from '../../base/permissions';
import { t } from '../../base/text';
import { hasTokens } from '../data/references';
import type { PropertyType } from '../properties';
import { REFERENCE } from './chips';
import { FieldName } from './FieldName';
import { Expression } from './Expression';
import { labelOf, textOf, useScope, type FieldProps } from './scope';

/** Types whose control cannot show a text. */
const WITHOUT_TEXT: ReadonlySet<PropertyType> = new Set([
  'ARRAY',
  'OBJECT',
  'MULTI_SELECT_DROPDOWN',
  'STATIC_MULTI_SELECT_DROPDOWN',
]);

const isEmpty = (value: unknown): boolean =>
  value === undefined || value === null || typeof value !== 'object' || Object.keys(value).length === 0;

/**
 * Control that can be switched to a text with references, and back. A reference that is dropped on the control turns it
 * into a text. The choice is stored in the settings of the step; for nested fields, which have no settings, it is kept
 * while the form is shown.
 */
export function OrExpression(props: FieldProps & { children: (toggle: ComponentChildren) => ComponentChildren }) {
  const { name, property, value, onValue, nested, children } = props;
  const scope = useScope();
  const mayWrite = useMay('WRITE_FLOW');
  const isText =
    typeof value === 'string' &&
    (value.includes('{{') || hasTokens(value) || (value !== '' && WITHOUT_TEXT.has(property.type)));
  /** Stays after the last reference of a text has been deleted: the field must not change while it is edited. */
  const [isChosen, setIsChosen] = useState(isText);
  if (isText && !isChosen) {
    setIsChosen(true);
  }
  const typed = isText || isChosen || (!nested && scope.settingOf(name)?.type === 'DYNAMIC');
  const choose = (text: boolean): void => {
    if (!nested) {
      scope.setSetting(name, { ...scope.settingOf(name), type: text ? 'DYNAMIC' : 'MANUAL' });
    }
    setIsChosen(text);
  };
  const toggle = (
    <Button
      kind="quiet"
      size="small"
      icon={typed ? 'list' : 'variable'}
      label={t(typed ? 'field.choose' : 'field.expression')}
      more={{ 'data-toggle': labelOf(name, property) }}
      onClick={() => {
        if (typed) {
          onValue(property.defaultValue ?? undefined);
        }
        choose(!typed);
      }}
    />
  );
  /** A list or an object with entries takes references in its rows only: replacing it would lose them. */
  const takesDrop = (event: DragEvent): boolean =>
    mayWrite &&
    !event.defaultPrevented &&
    event.dataTransfer?.types.includes(REFERENCE) === true &&
    (!WITHOUT_TEXT.has(property.type) || isEmpty(value));
  return typed ? (
    <Expression
      label={labelOf(name, property)}
      value={textOf(value)}
      onValue={onValue}
      help={property.description}
      required={property.required ?? false}
      aside={toggle}
    />
  ) : (
    <div
      class="drop-target"
      data-control={labelOf(name, property)}
      onDragOver={(event) => takesDrop(event) && event.preventDefault()}
      onDrop={(event) => {
        if (takesDrop(event)) {
          event.preventDefault();
          choose(true);
          onValue(event.dataTransfer?.getData(REFERENCE));
        }
      }}>
      {children(toggle)}
    </div>
  );
}

export function Framed({
  id,
  label,
  required,
  help,
  aside,
  problem,
  children,
}: {
  id: string;
  label: string;
  required?: boolean | undefined;
  help?: ComponentChildren;
  aside?: ComponentChildren;
  problem?: string | undefined;
  children: ComponentChildren;
}) {
  return (
    <div class="field">
      <div class="label">
        <label for={id}>
          <FieldName text={label} required={required} />
        </label>
        <span class="spread" />
        {aside}
      </div>
      {children}
      {problem ? <div class="problem">{problem}</div> : help ? <div class="help">{help}</div> : null}
    </div>
  );
}
