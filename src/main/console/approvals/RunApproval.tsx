import { api } from '../base/api/client';
import { useQuery } from '../base/query';
import { ApprovalCard } from './ApprovalCard';

/** Renders nothing for other kinds of pauses. */
export function RunApproval({ projectId, runId, decided }: { projectId: string; runId: string; decided: () => void }) {
  const approvals = useQuery(`approval of ${runId}`, (signal) =>
    api('GET /v1/approvals', { query: { projectId, flowRunId: runId }, signal }),
  );
  const approval = approvals.value?.data[0];
  return approval ? <ApprovalCard approval={approval} projectId={projectId} isOnRun decided={decided} /> : null;
}
