import { Button } from '../../base/components/Button';
import { t } from '../../base/text';
import { emptyInput } from '../properties';
import { Expression } from './Expression';
import { Fields } from './Fields';
import { OrExpression } from './Dynamic';
import { labelOf, textOf, type FieldProps } from './scope';

/** List of texts, or of records if the property defines the fields of an item. */
export function ArrayField(props: FieldProps) {
  return <OrExpression {...props}>{(toggle) => <Items {...props} toggle={toggle} />}</OrExpression>;
}

function Items({ name, property, value, onValue, toggle }: FieldProps & { toggle: preact.ComponentChildren }) {
  const items = Array.isArray(value) ? value as unknown[] : [];
  const label = labelOf(name, property);
  const of = property.properties;
  const put = (index: number, item: unknown): void => onValue(items.map((each, at) => at === index ? item : each));
  const removal = (index: number) => (
    <Button kind="quiet" size="small" icon="x" label={t('field.remove', { name: String(index + 1) })} onClick={() => onValue(items.filter((_, at) => at !== index))} />
  );
  return (
    <div class="field" role="group" aria-label={label}>
      <div class="label"><span>{label}{property.required ? <span class="must" aria-hidden="true"> *</span> : null}</span><span class="spread" />{toggle}</div>
      {items.map((item, index) => of ? (
        <fieldset key={index} class="item">
          <div class="row"><span class="faint spread">{t('field.item', { number: index + 1 })}</span>{removal(index)}</div>
          <Fields props={of} values={(item ?? {}) as Record<string, unknown>} nested onValues={(values) => put(index, values)} />
        </fieldset>
      ) : (
        <div key={index} class="pair single">
          <Expression bare label={t('field.item', { number: index + 1 })} value={textOf(item)} onValue={(text) => put(index, text)} />
          {removal(index)}
        </div>
      ))}
      <div><Button size="small" icon="plus" onClick={() => onValue([...items, of ? emptyInput(of) : ''])}>{t('field.addItem')}</Button></div>
      {property.description ? <div class="help">{property.description}</div> : null}
    </div>
  );
}
