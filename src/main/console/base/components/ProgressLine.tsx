import { useStore } from '../store';
import { t } from '../text';
import { working } from '../working';

/** Line at the top of the window while an action is pending that has no busy control. */
export function ProgressLine() {
  return useStore(working, (count) => count > 0) ? (
    <div class="progress-line" role="progressbar" aria-label={t('base.working')} />
  ) : null;
}
