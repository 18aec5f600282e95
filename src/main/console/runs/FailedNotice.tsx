import { Button } from '../base/components/Button';
import { Icon } from '../base/components/Icon';
import { t } from '../base/text';
import { endingOf, lineOf } from './errors';
import { isFailed, type Run } from './model';
import { lookOf } from './status';

export function FailedNotice({ run, showStep }: { run: Run; showStep?: () => void }) {
  const ending = endingOf(run.status);
  if (!ending && !isFailed(run)) {
    return null;
  }
  const look = lookOf(run.status);
  const message = run.internalError?.message ?? lineOf(run.failedStep?.message ?? '');
  return (
    <div class={`notice run-notice tone-${look.tone}`}>
      <Icon name={look.icon} />
      <div class="spread">
        <strong>{run.failedStep ? t('run.failed.title', { step: run.failedStep.displayName }) : t(look.text)}</strong>
        {message ? <p class="error-message">{message}</p> : null}
        {ending ? (
          <p>
            {t(ending.means)} {t(ending.todo)}
          </p>
        ) : null}
      </div>
      {showStep ? (
        <Button size="small" onClick={showStep}>
          {t('run.error.showStep')}
        </Button>
      ) : null}
    </div>
  );
}
