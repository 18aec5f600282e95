import { useEffect } from 'preact/hooks';
import { Notice, Skeleton } from '../../base/components/States';
import { useRoleMay } from '../../base/permissions';
import { t } from '../../base/text';
import { emptyInput, unfilled, type Properties } from '../properties';
import { useScope, type GroupProps } from './scope';
import { useOptions } from './useChoices';

/** Answer instead of fields when the piece could not be called. */
interface Missing {
  disabled: true;
  options: unknown[];
  placeholder?: string;
}

const isMissing = (answer: Properties | Missing | undefined): answer is Missing =>
  answer !== undefined && answer.disabled === true && Array.isArray(answer.options);

/** The definition is stored next to the value: the engine needs it. */
export function DynamicField({ name, property, value, onValue, Fields }: GroupProps) {
  const { settingOf, setSetting } = useScope();
  const { value: answer, failure, loading } = useOptions<Properties | Missing>(name, property);
  const canLoad = useRoleMay('WRITE_FLOW');
  const values = (value !== null && typeof value === 'object' ? value : {}) as Record<string, unknown>;
  const known = settingOf(name)?.schema;
  const props = isMissing(answer) ? undefined : answer;
  useEffect(() => {
    if (props && JSON.stringify(known) !== JSON.stringify(props)) {
      setSetting(name, { type: settingOf(name)?.type ?? 'MANUAL', schema: props });
    }
  }, [JSON.stringify(props)]);
  useEffect(() => {
    if (props && unfilled(props, values).length > 0) {
      onValue({ ...emptyInput(props), ...values });
    }
  }, [JSON.stringify(props)]);
  if (failure) {
    return <Notice failure={failure} />;
  }
  if (isMissing(answer)) {
    return (
      <>
        {known ? <Fields props={known as Properties} values={values} onValues={onValue} nested /> : null}
        <p class="help">{answer.placeholder ?? t('field.noChoices')}</p>
      </>
    );
  }
  // Without the answer of the piece, which a role without WRITE_FLOW does not request, the stored definition is shown.
  const shown = props ?? (canLoad ? undefined : (known as Properties | undefined));
  return shown ? (
    <Fields props={shown} values={values} onValues={onValue} nested />
  ) : loading ? (
    <Skeleton lines={2} />
  ) : null;
}
