import { Icon } from '../Icon';
import { t } from '../text';

export function Progress({ share, waits, cancel }: { share: number; waits: boolean; cancel: () => void }) {
  const percent = Math.floor(share * 100);
  const travelling = share < 1;
  return (
    <div class="progress">
      <div class="row">
        <Icon name="loader-circle" spin />
        <span role="status" class="spread">
          {travelling || !waits ? t('form.sending') : t('form.waiting')}
        </span>
        {travelling ? (
          <span class="faint" aria-hidden>
            {t('form.progress', { percent })}
          </span>
        ) : null}
        <button class="button small" type="button" onClick={cancel}>
          {t('form.cancel')}
        </button>
      </div>
      <progress
        max={100}
        {...(travelling ? { value: percent } : {})}
        aria-label={travelling ? t('form.sending') : t('form.waiting')}
      />
    </div>
  );
}
