import { t } from '../../base/text';
import { lacking, type Properties } from '../properties';
import { fields } from './index';

interface Props {
  props: Properties;
  values: Record<string, unknown>;
  onValues: (values: Record<string, unknown>) => void;
  nested?: boolean;
}

/** Properties in the order of the piece. */
export function Fields({ props, values, onValues, nested = false }: Props) {
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
            problem={missing.has(name) ? t('field.required') : undefined}
            onValue={(value) => onValues({ ...values, [name]: value })}
          />
        );
      })}
    </>
  );
}
