import { t } from '../../base/text';
import { lacking } from '../properties';
import { fields } from './index';
import type { FieldsProps } from './scope';

/** Properties in the order of the piece. */
export function Fields({ props, values, onValues, nested = false }: FieldsProps) {
  const missing = new Set(lacking(props, values));
  return (
    <>
      {Object.entries(props).map(([name, property]) => {
        const Field = fields[property.type];
        return (
          <Field
            key={name}
            name={name}
            property={property}
            value={values[name]}
            nested={nested}
            Fields={Fields}
            problem={missing.has(name) ? t('field.required') : undefined}
            onValue={(value) => onValues({ ...values, [name]: value })}
          />
        );
      })}
    </>
  );
}
