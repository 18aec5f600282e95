import { useEffect } from 'preact/hooks';
import { useRunChanges } from '../base/live/runChanges';
import { allowed } from '../base/permissions';
import { useStore } from '../base/store';
import { t } from '../base/text';
import { boundedCount } from './model';
import { pending, refreshPending } from './pending';

/** Number of approvals that wait for the user; nothing for none, and for a role that cannot decide. */
export function PendingCount({ projectId }: { projectId: string }) {
  const mayDecide = useStore(allowed, (known) => known?.projectId === projectId && known.permissions.has('WRITE_RUN'));
  const known = useStore(pending);
  const refresh = (): void => {
    if (mayDecide) {
      void refreshPending(projectId);
    }
  };
  useEffect(refresh, [projectId, mayDecide]);
  useRunChanges(projectId, refresh);
  if (!mayDecide || known?.projectId !== projectId || known.count === 0) {
    return null;
  }
  const shown = boundedCount(known.count);
  return (
    <span class="area-count" data-pending>
      <span aria-hidden="true">{shown}</span>
      <span class="visually-hidden">{t('approvals.pending', { count: shown })}</span>
    </span>
  );
}
