import { useState } from 'preact/hooks';
import { api } from '../base/api/client';
import { Dialog } from '../base/components/Dialog';
import { SearchField } from '../base/components/Field';
import { Failed, Skeleton } from '../base/components/States';
import { complain, say } from '../base/components/Toasts';
import { useQuery } from '../base/query';
import { session } from '../base/session';
import { useStore } from '../base/store';
import { t } from '../base/text';
import { ConnectionDialog } from '../builder/connect/ConnectionDialog';
import { PieceLogo } from '../builder/canvas/PieceLogo';
import { pieceOf, summaries, type PieceSummary } from '../builder/canvas/pieces';
import { wordsOf } from '../builder/picker/catalogue';
import { matches } from '../builder/picker/matches';
import { packageFor, type Installable } from '../builder/picker/installable';
import { InstallOffer } from '../builder/picker/InstallOffer';
import { InstallPiece } from '../builder/picker/InstallPiece';
import type { Piece } from '../builder/properties';
import type { Connection } from './model';

interface Props {
  projectId: string;
  close: () => void;
  changed: () => void;
}

export function NewDialog({ projectId, global, close, changed }: Props & { global: boolean }) {
  const [piece, setPiece] = useState<Piece>();
  const projects = useStore(session, (now) => (now.state === 'in' ? now.projects : []));
  if (!piece) {
    return <PieceDialog projectId={projectId} onChoose={setPiece} close={close} />;
  }
  const sharing = global ? { projectIds: projects.map((each) => each.id), preSelectForNewProjects: false } : undefined;
  return (
    <ConnectionDialog
      piece={piece}
      projectId={projectId}
      sharing={sharing}
      onClose={close}
      onMade={(made) => {
        say(t('connections.made', { name: made.displayName }));
        changed();
      }}
    />
  );
}

/** New credentials for the same service; steps that use the connection get the new value. */
export function AgainDialog({ connection, projectId, close, changed }: Props & { connection: Connection }) {
  const piece = useQuery(`piece ${connection.pieceName}`, () => pieceOf(connection.pieceName));
  if (!piece.value) {
    return (
      <Dialog title={t('connect.again', { name: connection.displayName })} onClose={close}>
        <div class="body">{piece.failure ? <Failed failure={piece.failure} retry={piece.reload} /> : <Skeleton />}</div>
      </Dialog>
    );
  }
  const sharing =
    connection.scope === 'PLATFORM'
      ? { projectIds: connection.projectIds, preSelectForNewProjects: connection.preSelectForNewProjects }
      : undefined;
  return (
    <ConnectionDialog
      piece={piece.value}
      projectId={projectId}
      existing={connection}
      sharing={sharing}
      onClose={close}
      onMade={(made) => {
        say(t('connections.made', { name: made.displayName }));
        changed();
      }}
    />
  );
}

function PieceDialog({
  projectId,
  onChoose,
  close,
}: {
  projectId: string;
  onChoose: (piece: Piece) => void;
  close: () => void;
}) {
  const all = useStore(summaries);
  const [typed, setTyped] = useState('');
  const [missing, setMissing] = useState<Installable>();
  const catalogue = useQuery('catalogue of connections', (signal) =>
    api('GET /v1/pieces', { query: { projectId, includeInstallable: true }, signal }),
  );
  const listed = new Map([
    ...(catalogue.value ?? []).map((piece): [string, PieceSummary] => [piece.name, piece]),
    ...all,
  ]);
  const asking = [...listed.values()]
    .filter(asksForConnection)
    .sort((one, other) => other.projectUsage - one.projectUsage || one.displayName.localeCompare(other.displayName));
  const shown = typed.trim() === '' ? asking : matchesOf(asking, typed);
  const offered = shown.length === 0 && !catalogue.loading ? packageFor(typed) : undefined;
  const choose = async (piece: PieceSummary): Promise<void> => {
    if (piece.installed === false && !all.has(piece.name)) {
      setMissing(piece);
      return;
    }
    const whole = await pieceOf(piece.name);
    if (whole.ok) {
      onChoose(whole.value);
    } else {
      complain(whole.failure);
    }
  };
  if (missing) {
    return (
      <Dialog title={t('connections.which')} onClose={close}>
        <div class="body">
          <InstallPiece piece={missing} projectId={projectId} onInstalled={onChoose} />
        </div>
      </Dialog>
    );
  }
  return (
    <Dialog title={t('connections.which')} onClose={close}>
      <form
        class="body"
        onSubmit={(event) => {
          event.preventDefault();
          if (shown[0]) {
            void choose(shown[0]);
          }
        }}>
        <SearchField label={t('connections.searchPiece')} value={typed} onValue={setTyped} />
        <div class="pieces">
          {shown.map((piece) => (
            <button
              key={piece.name}
              type="button"
              class="piece-choice"
              data-piece={piece.name}
              onClick={() => choose(piece)}>
              <PieceLogo pieceName={piece.name} size={20} />
              <span class="piece-words">
                <span class="cut">{piece.displayName}</span>
                {piece.installed === false && !all.has(piece.name) ? (
                  <span class="faint">{t('install.missing')}</span>
                ) : null}
              </span>
            </button>
          ))}
        </div>
        {shown.length > 0 ? null : (
          <p class="faint">{catalogue.loading ? t('base.loading') : t('connections.noPiece')}</p>
        )}
        {offered ? <InstallOffer piece={offered} onChoose={setMissing} /> : null}
      </form>
    </Dialog>
  );
}

const matchesOf = (pieces: readonly PieceSummary[], typed: string): PieceSummary[] =>
  matches(
    pieces.map((piece) => ({ piece, title: piece.displayName, about: piece.description })),
    [],
    ({ piece }) => wordsOf(piece),
    typed,
  ).map(({ piece }) => piece);

/** True if a piece has connections: installed pieces have the definition, catalogue entries list the kinds. */
const asksForConnection = (piece: PieceSummary): boolean =>
  (piece.auth !== undefined && piece.auth !== null) || (piece.authKinds ?? []).length > 0;
