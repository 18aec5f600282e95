import { useEffect } from 'preact/hooks';
import { Notice, Skeleton } from '../../base/components/States';
import { emptyInput, type Properties } from '../properties';
import { Fields } from './Fields';
import { useScope, type FieldProps } from './scope';
import { useOptions } from './useChoices';

/** Fields that depend on other values; the piece says which. What it said is kept beside the value: the engine needs it. */
export function DynamicField({ name, property, value, onValue }: FieldProps) {
  const { settingOf, setSetting } = useScope();
  const { value: props, failure, loading } = useOptions<Properties>(name, property);
  const values = (value !== null && typeof value === 'object' ? value : {}) as Record<string, unknown>;
  const known = settingOf(name)?.schema;
  useEffect(() => {
    if (props && JSON.stringify(known) !== JSON.stringify(props)) {
      setSetting(name, { type: settingOf(name)?.type ?? 'MANUAL', schema: props });
    }
  }, [JSON.stringify(props)]);
  useEffect(() => {
    if (props && Object.keys(props).some((key) => !(key in values) && props[key]!.defaultValue !== undefined)) {
      onValue({ ...emptyInput(props), ...values });
    }
  }, [JSON.stringify(props)]);
  if (failure) {
    return <Notice failure={failure} />;
  }
  return props ? <Fields props={props} values={values} onValues={onValue} nested /> : loading ? <Skeleton lines={2} /> : null;
}
