import { Icon } from '../base/components/Icon';
import { Menu } from '../base/components/Menu';
import { t } from '../base/text';
import type { Strategy } from './actions';

interface Props {
  onRetry: (strategy: Strategy) => unknown;
  disabled?: boolean;
  primary?: boolean;
  small?: boolean;
  /** False if no step failed. */
  fromFailed?: boolean;
}

export function RetryMenu({ onRetry, disabled = false, primary = false, small = false, fromFailed = true }: Props) {
  return (
    <Menu
      label={t('runs.retry')}
      groups={[
        {
          items: [
            ...(fromFailed
              ? [
                  {
                    label: t('runs.retry.failed'),
                    icon: 'rotate-ccw' as const,
                    needs: 'WRITE_RUN' as const,
                    perform: () => onRetry('FROM_FAILED_STEP'),
                  },
                ]
              : []),
            {
              label: t('runs.retry.latest'),
              icon: 'rocket',
              needs: 'WRITE_RUN',
              perform: () => onRetry('ON_LATEST_VERSION'),
            },
          ],
        },
      ]}
      button={(wiring) => (
        <button
          class={`button ${primary ? 'primary' : ''} ${small ? 'small' : ''}`}
          type="button"
          disabled={disabled}
          data-retry
          {...wiring}>
          <Icon name="rotate-ccw" />
          {t('runs.retry')}
          <Icon name="chevron-down" size={14} />
        </button>
      )}
    />
  );
}
