import { useRef } from 'preact/hooks';
import { api } from '../base/api/client';
import { Button } from '../base/components/Button';
import { Checkbox } from '../base/components/Field';
import { Empty, Failed, Skeleton } from '../base/components/States';
import { useRunChanges } from '../base/live/runChanges';
import { useRows } from '../base/query';
import { narrow, usePlace } from '../base/router';
import { t } from '../base/text';
import { Page } from '../frame/Page';
import { ApprovalCard } from './ApprovalCard';
import { firstPages, type Approval } from './model';

const ROWS = 50;

/** Pending approvals of the project, the latest wait first. */
export default function ApprovalsPage({ params }: { params: Record<string, string> }) {
  const projectId = params['projectId']!;
  const mine = usePlace().query.get('mine') === 'true';
  const shown = useRef(0);
  const rows = useRows<Approval>(`approvals ${projectId} ${mine}`, (cursor, signal) => {
    const ask = (from: string | undefined) =>
      api('GET /v1/approvals', {
        query: { projectId, canDecide: mine || undefined, limit: ROWS, cursor: from },
        signal,
      });
    return cursor === undefined ? firstPages(shown.current, ask) : ask(cursor);
  });
  const listed = rows.value;
  shown.current = listed?.length ?? 0;
  useRunChanges(projectId, rows.reload);
  return (
    <Page title={t('approvals.title')}>
      {mine || listed?.some((approval) => approval.request) ? (
        <p data-mine>
          <Checkbox
            label={t('approvals.mine')}
            checked={mine}
            onChange={(on) => narrow({ mine: on ? 'true' : undefined })}
          />
        </p>
      ) : null}
      {listed === undefined ? (
        rows.failure ? (
          <Failed failure={rows.failure} retry={rows.reload} />
        ) : (
          <Skeleton lines={4} />
        )
      ) : listed.length === 0 ? (
        <div class="card">
          <Empty
            icon="hand"
            title={t(mine ? 'approvals.noneMine' : 'approvals.none')}
            text={mine ? undefined : t('approvals.noneText')}
          />
        </div>
      ) : (
        <div class="approvals">
          {listed.map((approval) => (
            <ApprovalCard key={approval.flowRunId} approval={approval} projectId={projectId} decided={rows.reload} />
          ))}
        </div>
      )}
      {listed !== undefined && rows.failure ? (
        <Failed failure={rows.failure} retry={rows.retry ?? rows.reload} />
      ) : null}
      {rows.more ? (
        <div data-more>
          <Button busy={rows.loading} onClick={rows.more}>
            {t('base.loadMore')}
          </Button>
        </div>
      ) : null}
    </Page>
  );
}
