import { useState } from 'preact/hooks';
import { Button } from '../base/components/Button';
import { count, t } from '../base/text';
import { archive, retry, type Strategy } from './actions';
import { CancelDialog } from './CancelDialog';
import { isFailed, isLive, type Run } from './model';
import { RetryMenu } from './RetryMenu';

interface Props {
  projectId: string;
  selected: Run[];
  clear: () => void;
  changed: () => void;
}

/** Each action applies to the runs that permit it. */
export function BulkBar({ projectId, selected, clear, changed }: Props) {
  const [busy, setBusy] = useState(false);
  const [canceling, setCanceling] = useState(false);
  const failed = selected.filter((run) => isFailed(run) || run.status === 'CANCELED').map((run) => run.id);
  const live = selected.filter(isLive).map((run) => run.id);
  const ended = selected.filter((run) => !isLive(run)).map((run) => run.id);
  const perform = async (action: Promise<unknown>): Promise<void> => {
    setBusy(true);
    await action;
    setBusy(false);
    clear();
    changed();
  };
  return (
    <div class="bulk" role="toolbar" aria-label={count('runs.selected', selected.length)}>
      <span class="spread">{count('runs.selected', selected.length)}</span>
      <RetryMenu
        small
        disabled={busy || ended.length === 0}
        fromFailed={failed.length > 0}
        onRetry={(strategy: Strategy) =>
          perform(retry(projectId, strategy === 'FROM_FAILED_STEP' ? failed : ended, strategy))
        }
      />
      <Button
        size="small"
        icon="circle-slash"
        needs="WRITE_RUN"
        disabled={busy || live.length === 0}
        onClick={() => setCanceling(true)}>
        {t('runs.cancel')}
      </Button>
      <Button
        size="small"
        icon="folder-input"
        needs="WRITE_RUN"
        disabled={busy || ended.length === 0}
        onClick={() => perform(archive(projectId, ended))}>
        {t('runs.archive')}
      </Button>
      <Button size="small" kind="quiet" icon="x" label={t('runs.unselect')} onClick={clear} />
      {canceling ? (
        <CancelDialog
          projectId={projectId}
          runIds={live}
          close={() => setCanceling(false)}
          done={() => {
            clear();
            changed();
          }}
        />
      ) : null}
    </div>
  );
}
