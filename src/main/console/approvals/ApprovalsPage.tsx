import { useState } from 'preact/hooks';
import { api } from '../base/api/client';
import { Checkbox } from '../base/components/Field';
import { Empty, Failed, Skeleton } from '../base/components/States';
import { useLive } from '../base/live/channel';
import { useQuery } from '../base/query';
import { t } from '../base/text';
import { Page } from '../frame/Page';
import { ApprovalCard } from './ApprovalCard';

/** Pending approvals of the project, newest first. */
export default function ApprovalsPage({ params }: { params: Record<string, string> }) {
  const projectId = params['projectId']!;
  const approvals = useQuery(`approvals ${projectId}`, (signal) =>
    api('GET /v1/approvals', { query: { projectId }, signal }),
  );
  useLive('UPDATE_RUN_PROGRESS', () => approvals.reload(), [projectId]);
  const [mine, setMine] = useState(false);
  const all = approvals.value?.data;
  const listed = all?.filter((approval) => !mine || !approval.request || approval.request.canDecide);
  return (
    <Page title={t('approvals.title')}>
      {all?.some((approval) => approval.request) ? (
        <p data-mine>
          <Checkbox label={t('approvals.mine')} checked={mine} onChange={setMine} />
        </p>
      ) : null}
      {listed === undefined ? (
        approvals.failure ? (
          <Failed failure={approvals.failure} retry={approvals.reload} />
        ) : (
          <Skeleton lines={4} />
        )
      ) : listed.length === 0 ? (
        <div class="card">
          <Empty icon="hand" title={t('approvals.none')} text={t('approvals.noneText')} />
        </div>
      ) : (
        <div class="approvals">
          {listed.map((approval) => (
            <ApprovalCard
              key={approval.flowRunId}
              approval={approval}
              projectId={projectId}
              decided={approvals.reload}
            />
          ))}
        </div>
      )}
    </Page>
  );
}
