import { useState } from 'preact/hooks';
import { api } from '../../base/api/client';
import type { Failure } from '../../base/api/failure';
import { reliably } from '../../base/api/reliably';
import { Button } from '../../base/components/Button';
import { TextField } from '../../base/components/Field';
import { Icon } from '../../base/components/Icon';
import { Notice } from '../../base/components/States';
import { say } from '../../base/components/Toasts';
import { session } from '../../base/session';
import { useStore } from '../../base/store';
import { t } from '../../base/text';
import { PieceLogo } from '../canvas/PieceLogo';
import { pieceOf, reloadPieces } from '../canvas/pieces';
import type { Piece } from '../properties';
import type { Installable } from './installable';

export const useIsAdmin = (): boolean =>
  useStore(session, (now) => now.state === 'in' && now.user.platformRole === 'ADMIN');

export function InstallPiece({
  piece,
  projectId,
  onInstalled,
}: {
  piece: Installable;
  projectId: string;
  onInstalled: (piece: Piece) => void;
}) {
  const isAdmin = useIsAdmin();
  const [isBusy, setIsBusy] = useState(false);
  const [failure, setFailure] = useState<Failure>();
  const [reason, setReason] = useState('');
  const [isRequested, setIsRequested] = useState(false);
  const install = async (): Promise<void> => {
    setIsBusy(true);
    setFailure(undefined);
    const wish = {
      packageType: 'REGISTRY',
      scope: 'PLATFORM',
      pieceName: piece.name,
      pieceVersion: piece.version ?? 'latest',
    } as const;
    const done = await api('POST /v1/pieces', { body: wish });
    await reloadPieces(projectId);
    // VALIDATION can mean that another user has installed it meanwhile.
    const whole = done.ok || done.failure.code === 'VALIDATION' ? await pieceOf(piece.name) : done;
    setIsBusy(false);
    if (whole.ok) {
      const installed = whole.value as Piece;
      say(t('pieces.done', { name: installed.displayName, version: installed.version }));
      onInstalled(installed);
    } else {
      setFailure(whole.failure);
    }
  };
  const request = async (): Promise<void> => {
    setIsBusy(true);
    const done = await reliably('POST /v1/piece-requests', {
      body: {
        pieceName: piece.name,
        pieceVersion: piece.version ?? '',
        ...(reason.trim() ? { reason: reason.trim() } : {}),
      },
    });
    setIsBusy(false);
    setIsRequested(done.ok);
    setFailure(done.ok ? undefined : done.failure);
  };
  return (
    <div class="install-piece" data-install={piece.name}>
      <div class="row">
        <PieceLogo pieceName={piece.name} size={24} />
        <span>
          <strong>{piece.displayName}</strong>
          <br />
          <span class="faint">
            {piece.name} {piece.version ?? t('install.latest')}
          </span>
        </span>
      </div>
      {piece.description ? <p>{piece.description}</p> : null}
      {isAdmin ? (
        <>
          <p class="faint">{t('install.text')}</p>
          <div class="row">
            <Button kind="primary" icon="download" busy={isBusy} onClick={() => install()}>
              {t(failure ? 'base.retry' : 'install.install')}
            </Button>
            {isBusy ? (
              <span class="faint" role="status">
                {t('install.busy')}
              </span>
            ) : null}
          </div>
        </>
      ) : isRequested ? (
        <p role="status">
          <Icon name="check" /> {t('install.requested')}
        </p>
      ) : piece.version === undefined ? (
        <p class="faint">{t('install.notListed')}</p>
      ) : (
        <>
          <p class="faint">{t('install.ask')}</p>
          <TextField label={t('install.reason')} optional value={reason} onValue={setReason} />
          <div>
            <Button kind="primary" icon="send" busy={isBusy} onClick={() => request()}>
              {t('install.request')}
            </Button>
          </div>
        </>
      )}
      {failure ? <Notice failure={failure} /> : null}
    </div>
  );
}
