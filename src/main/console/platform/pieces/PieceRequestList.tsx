import { useState } from 'preact/hooks';
import { api, type Answer } from '../../base/api/client';
import type { Failure } from '../../base/api/failure';
import { Button } from '../../base/components/Button';
import { TextField } from '../../base/components/Field';
import { Empty, Failed, Notice, Skeleton } from '../../base/components/States';
import { say } from '../../base/components/Toasts';
import { useQuery, useRows } from '../../base/query';
import { t } from '../../base/text';
import { moment } from '../../base/time';
import { PieceLogo } from '../../builder/canvas/PieceLogo';
import { pieceTitle } from '../../builder/canvas/pieces';
import { nameOf, type User } from '../../people/model';

type PieceRequest = Answer<'GET /v1/piece-requests'>['data'][number];

const ROWS = 50;
const USERS_MAX = 200;

/** Installing a requested piece approves the request; `changed` is called after an installation. */
export function PieceRequestList({ changed }: { changed: () => void }) {
  const requests = useRows<PieceRequest>('piece requests', (cursor, signal) =>
    api('GET /v1/piece-requests', { query: { status: 'PENDING', limit: ROWS, cursor }, signal }),
  );
  const users = useQuery('users of piece requests', (signal) =>
    api('GET /v1/users', { query: { limit: USERS_MAX }, signal }),
  );
  const names = new Map(((users.value?.data ?? []) as User[]).map((user) => [user.id, nameOf(user)]));
  if (requests.value === undefined) {
    return requests.failure ? <Failed failure={requests.failure} retry={requests.reload} /> : <Skeleton lines={4} />;
  }
  if (requests.value.length === 0) {
    return (
      <div class="card">
        <Empty icon="layout-grid" title={t('pieceRequests.none')} text={t('pieceRequests.noneText')} />
      </div>
    );
  }
  return (
    <div class="piece-requests">
      {requests.value.map((request) => (
        <RequestCard
          key={request.id}
          request={request}
          from={names.get(request.userId) ?? t('pieceRequests.formerUser')}
          decided={(isInstalled) => {
            requests.reload();
            if (isInstalled) {
              changed();
            }
          }}
        />
      ))}
      {requests.more ? (
        <div>
          <Button busy={requests.loading} onClick={requests.more}>
            {t('base.loadMore')}
          </Button>
        </div>
      ) : null}
    </div>
  );
}

function RequestCard({
  request,
  from,
  decided,
}: {
  request: PieceRequest;
  from: string;
  decided: (isInstalled: boolean) => void;
}) {
  const [note, setNote] = useState('');
  const [busy, setBusy] = useState<'' | 'APPROVED' | 'DECLINED'>('');
  const [failure, setFailure] = useState<Failure>();
  const decide = async (status: 'APPROVED' | 'DECLINED'): Promise<void> => {
    setBusy(status);
    const done = await api('POST /v1/piece-requests/{id}', {
      path: { id: request.id },
      body: { status, ...(note.trim() ? { note: note.trim() } : {}) },
    });
    setBusy('');
    setFailure(done.ok ? undefined : done.failure);
    if (done.ok) {
      say(
        t(status === 'APPROVED' ? 'pieceRequests.installed' : 'pieceRequests.declined', {
          name: pieceTitle(request.pieceName),
        }),
      );
      decided(status === 'APPROVED');
    }
  };
  return (
    <section class="card piece-request" data-piece-request={request.pieceName}>
      <div class="row">
        <PieceLogo pieceName={request.pieceName} size={24} />
        <span>
          <strong>{pieceTitle(request.pieceName)}</strong>{' '}
          <code class="faint">
            {request.pieceName} {request.pieceVersion}
          </code>
          <br />
          <span class="faint">{t('pieceRequests.from', { name: from, time: moment(request.created) })}</span>
        </span>
      </div>
      {request.reason ? <p>{request.reason}</p> : null}
      <TextField
        label={t('pieceRequests.note')}
        optional
        value={note}
        onValue={setNote}
        control={{ maxLength: 1000 }}
      />
      {failure ? <Notice failure={failure} /> : null}
      <div class="row">
        <Button
          kind="primary"
          icon="download"
          busy={busy === 'APPROVED'}
          disabled={busy !== ''}
          onClick={() => decide('APPROVED')}>
          {t('pieceRequests.install')}
        </Button>
        <Button icon="x" busy={busy === 'DECLINED'} disabled={busy !== ''} onClick={() => decide('DECLINED')}>
          {t('pieceRequests.decline')}
        </Button>
        {busy === 'APPROVED' ? (
          <span class="faint" role="status">
            {t('install.busy')}
          </span>
        ) : null}
      </div>
    </section>
  );
}
