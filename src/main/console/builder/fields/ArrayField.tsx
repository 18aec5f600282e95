import { useRef } from 'preact/hooks';
import { Button } from '../../base/components/Button';
import { t } from '../../base/text';
import { emptyInput } from '../properties';
import { AddRow } from './AddRow';
import { FieldName } from './FieldName';
import { itemName } from './itemName';
import { Expression } from './Expression';
import { OrExpression } from './Dynamic';
import { labelOf, textOf, type GroupProps } from './scope';

export function ArrayField(props: GroupProps) {
  return <OrExpression {...props}>{(toggle) => <Items {...props} toggle={toggle} />}</OrExpression>;
}

/** Keys of items that stay with an item when one before it is removed, as does the state of its fields. */
function useItemKeys(count: number): { of: (index: number) => number; remove: (index: number) => void } {
  const keys = useRef<number[]>([]);
  const last = useRef(0);
  while (keys.current.length < count) {
    keys.current.push(last.current++);
  }
  keys.current.length = count;
  return { of: (index) => keys.current[index]!, remove: (index) => keys.current.splice(index, 1) };
}

function Items({ name, property, value, onValue, toggle, Fields }: GroupProps & { toggle: preact.ComponentChildren }) {
  const items = Array.isArray(value) ? (value as unknown[]) : [];
  const keys = useItemKeys(items.length);
  const group = useRef<HTMLDivElement>(null);
  const label = labelOf(name, property);
  const of = property.properties;
  const one = itemName(label);
  const titleOf = (index: number): string => (one ? `${one} ${index + 1}` : t('field.item', { number: index + 1 }));
  const put = (index: number, item: unknown): void => onValue(items.map((each, at) => (at === index ? item : each)));
  const removal = (index: number) => (
    <Button
      kind="quiet"
      size="small"
      icon="x"
      label={t('field.remove', { name: titleOf(index) })}
      onClick={() => {
        keys.remove(index);
        onValue(items.filter((_, at) => at !== index));
      }}
    />
  );
  return (
    <div class="field" role="group" aria-label={label} ref={group}>
      <div class="label">
        <span>
          <FieldName text={label} required={property.required} />
        </span>
        <span class="spread" />
        {toggle}
      </div>
      {items.map((item, index) =>
        of ? (
          <fieldset key={keys.of(index)} class="item">
            <div class="row">
              <span class="faint spread">{titleOf(index)}</span>
              {removal(index)}
            </div>
            <Fields
              props={of}
              values={(item ?? {}) as Record<string, unknown>}
              nested
              onValues={(values) => put(index, values)}
            />
          </fieldset>
        ) : (
          <div key={keys.of(index)} class="pair single">
            <Expression bare label={titleOf(index)} value={textOf(item)} onValue={(text) => put(index, text)} />
            {removal(index)}
          </div>
        ),
      )}
      <AddRow
        field={label}
        group={group}
        rows={items.length}
        text={one ? t('field.addOne', { name: one }) : t('field.addItem')}
        add={() => onValue([...items, of ? emptyInput(of) : ''])}
      />
      {property.description ? <div class="help">{property.description}</div> : null}
    </div>
  );
}
