import type { ComponentChildren } from 'preact';
import { Button } from '../../base/components/Button';
import { t } from '../../base/text';
import { FieldName } from './FieldName';
import { Expression } from './Expression';
import { labelOf, textOf, useScope, type FieldProps } from './scope';

/** Control that can be switched to a text with references, and back. */
export function OrExpression(props: FieldProps & { children: (toggle: ComponentChildren) => ComponentChildren }) {
  const { name, property, value, onValue, nested, children } = props;
  const scope = useScope();
  const isText = typeof value === 'string' && value.includes('{{');
  const typed = nested ? isText : scope.settingOf(name)?.type === 'DYNAMIC' || isText;
  const toggle = nested ? null : (
    <Button
      kind="quiet"
      size="small"
      icon={typed ? 'list' : 'variable'}
      label={t(typed ? 'field.choose' : 'field.expression')}
      onClick={() => {
        scope.setSetting(name, { ...scope.settingOf(name), type: typed ? 'MANUAL' : 'DYNAMIC' });
        if (typed) {
          onValue(property.defaultValue ?? undefined);
        }
      }}
    />
  );
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
    <>{children(toggle)}</>
  );
}

/** Frame of a control, with an optional element next to its label. */
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
