import { SelectField, Switch } from '../../base/components/Field';
import { t } from '../../base/text';
import { useScope } from '../fields/scope';
import type { Step } from '../steps';
import { useChange } from './StepScope';

export function ErrorHandling({ step }: { step: Step }) {
  const { operation } = useScope();
  const change = useChange();
  const now = step.settings.errorHandlingOptions ?? {};
  const hidden = operation?.errorHandlingOptions;
  const option = (label: string, help: string, on: boolean, put: (value: boolean) => void) => (
    <div class="field">
      <div class="label">
        <Switch on={on} label={label} onChange={put} />
        <span>{label}</span>
      </div>
      <div class="help">{help}</div>
    </div>
  );
  return (
    <>
      {hidden?.retryOnFailure?.hide
        ? null
        : option(t('errors.retry'), t('errors.retryHelp'), now.retryOnFailure?.value ?? false, (value) =>
            change({ errorHandlingOptions: { ...now, retryOnFailure: { value } } }),
          )}
      {hidden?.continueOnFailure?.hide
        ? null
        : option(t('errors.continue'), t('errors.continueHelp'), now.continueOnFailure?.value ?? false, (value) =>
            change({ errorHandlingOptions: { ...now, continueOnFailure: { value } } }),
          )}
      <SelectField
        label={t('errors.crash')}
        help={t('errors.crashHelp')}
        value={now.onCrash ?? 'retry'}
        options={[
          { value: 'retry', label: t('errors.crash.retry') },
          { value: 'fail', label: t('errors.crash.fail') },
        ]}
        onValue={(onCrash) => change({ errorHandlingOptions: { ...now, onCrash: onCrash as 'retry' | 'fail' } })}
      />
    </>
  );
}
