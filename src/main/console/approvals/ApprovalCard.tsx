import { useState } from 'preact/hooks';
import { api } from '../base/api/client';
import type { Failure } from '../base/api/failure';
import { Button } from '../base/components/Button';
import { TextField } from '../base/components/Field';
import { Icon } from '../base/components/Icon';
import { Notice } from '../base/components/States';
import { say } from '../base/components/Toasts';
import { linkTo } from '../base/router';
import { t } from '../base/text';
import { moment } from '../base/time';
import type { Approval } from './model';
import { refreshPending } from './pending';
import { RequestFields, RequestView, type Answers } from './RequestView';

/** Input fields that are not relevant for a decision. */
const HIDDEN = new Set(['auth', 'markdown', 'approvalLink', 'disapprovalLink']);

export function ApprovalCard({
  approval,
  projectId,
  isOnRun = false,
  decided,
}: {
  approval: Approval;
  projectId: string;
  isOnRun?: boolean;
  decided: () => void;
}) {
  const [comment, setComment] = useState('');
  const [answers, setAnswers] = useState<Answers>({});
  const request = approval.request;
  const [busy, setBusy] = useState('');
  const [failure, setFailure] = useState<Failure>();
  const decide = async (decision: 'APPROVED' | 'DECLINED'): Promise<void> => {
    setBusy(decision);
    const done = await api('POST /v1/flow-runs/{id}/decision', {
      path: { id: approval.flowRunId },
      body: { decision, ...(comment.trim() ? { comment: comment.trim() } : {}), ...(request ? { answers } : {}) },
    });
    setBusy('');
    setFailure(done.ok ? undefined : done.failure);
    if (done.ok) {
      say(
        t(decision === 'APPROVED' ? 'approvals.approved' : 'approvals.declined', {
          name: approval.flowDisplayName ?? '',
        }),
      );
      void refreshPending(projectId);
      decided();
    }
  };
  const shown = Object.entries(approval.input ?? {}).filter(
    ([key, value]) => !HIDDEN.has(key) && value !== null && value !== '',
  );
  return (
    <section class="card approval" data-approval={approval.flowRunId}>
      <div class="row">
        <Icon name="hand" />
        <strong>{approval.stepDisplayName}</strong>
        <span class="spread" />
        {isOnRun ? null : <a {...linkTo(`/projects/${projectId}/runs/${approval.flowRunId}`)}>{t('approvals.run')}</a>}
      </div>
      <p class="faint">
        {t('approvals.since', { flow: approval.flowDisplayName ?? '', time: moment(approval.since) })}
        {approval.deadline ? ` ${t('approvals.deadline', { time: moment(approval.deadline) })}` : ''}
      </p>
      {shown.length > 0 ? (
        <dl class="approval-input">
          {shown.map(([key, value]) => (
            <div key={key}>
              <dt>{key}</dt>
              <dd>{typeof value === 'object' ? JSON.stringify(value) : String(value)}</dd>
            </div>
          ))}
        </dl>
      ) : null}
      {request ? <RequestView request={request} /> : null}
      {request && !request.canDecide ? null : (
        <>
          {request ? <RequestFields request={request} answers={answers} change={setAnswers} /> : null}
          <TextField
            label={t('approvals.comment')}
            optional
            value={comment}
            onValue={setComment}
            control={{ maxLength: 2000 }}
          />
          {failure ? <Notice failure={failure} /> : null}
          <div class="row">
            <Button
              kind="primary"
              icon="check"
              needs="WRITE_RUN"
              busy={busy === 'APPROVED'}
              disabled={busy !== ''}
              more={{ 'data-approve': '' }}
              onClick={() => decide('APPROVED')}>
              {t('approvals.approve')}
            </Button>
            <Button
              icon="x"
              needs="WRITE_RUN"
              busy={busy === 'DECLINED'}
              disabled={busy !== ''}
              more={{ 'data-decline': '' }}
              onClick={() => decide('DECLINED')}>
              {t('approvals.decline')}
            </Button>
          </div>
        </>
      )}
    </section>
  );
}
