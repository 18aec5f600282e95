import { Switch } from '../../base/components/Field';
import { OrExpression } from './Dynamic';
import { labelOf, type FieldProps } from './scope';

export function CheckboxField(props: FieldProps) {
  const { name, property, value, onValue } = props;
  return (
    <OrExpression {...props}>
      {(toggle) => (
        <div class="field">
          <div class="label">
            <Switch on={value === true || value === 'true'} label={labelOf(name, property)} onChange={onValue} />
            <span>{labelOf(name, property)}</span>
            <span class="spread" />
            {toggle}
          </div>
          {property.description ? <div class="help">{property.description}</div> : null}
        </div>
      )}
    </OrExpression>
  );
}
