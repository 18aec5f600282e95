import type { NewConnection, NewGlobalConnection } from '#api';
import { useState } from 'preact/hooks';
import { api, type Answer } from '../../base/api/client';
import type { Failure, Result } from '../../base/api/failure';
import { reliably } from '../../base/api/reliably';
import { FormDialog } from '../../base/components/Dialog';
import { Checkbox, SelectField, TextField } from '../../base/components/Field';
import { useQuery } from '../../base/query';
import { t, type TextKey } from '../../base/text';
import { unique } from '../../base/unique';
import { authsOf, type Piece } from '../properties';
import { AuthInputs, type Secrets } from './AuthInputs';
import type { Connection } from './model';
import { proofOf, type Proof } from './value';

export interface Sharing {
  projectIds: string[];
  preSelectForNewProjects: boolean;
}

interface Props {
  piece: Piece;
  projectId: string;
  /** Connection that gets a new value; absent for a new one. */
  existing?: Connection | undefined;
  /** Creates a global connection of the platform. */
  sharing?: Sharing | undefined;
  onClose: () => void;
  onMade: (connection: Connection) => void;
}

/** Secrets are sent once and never shown again. */
export function ConnectionDialog({ piece, projectId, existing, sharing, onClose, onMade }: Props) {
  const auths = authsOf(piece);
  const [kind, setKind] = useState(existing?.type.replace(/^PLATFORM_/, '') ?? auths[0]?.type ?? 'SECRET_TEXT');
  const [displayName, setDisplayName] = useState(existing?.displayName ?? piece.displayName);
  const [secrets, setSecrets] = useState<Secrets>({});
  const [own, setOwn] = useState(false);
  const apps = useQuery(`oauth apps ${piece.name}`, (signal) =>
    api('GET /v1/oauth-apps', { query: { limit: APPS_MAX }, signal }),
  );
  const auth = auths.find((each) => each.type === kind) ?? auths[0]!;
  const oauth = auth.type === 'OAUTH2';
  const client = oauth ? clientOf(apps.value, piece.name) : undefined;
  const platformClient = own ? undefined : client;
  const perform = async (): Promise<Failure | undefined> => {
    const proof = await proofOf({ piece, projectId, auth, secrets, platformClient });
    if (!proof.ok) {
      return proof.failure;
    }
    const made = await save({ piece, projectId, existing, sharing, displayName, proof: proof.value });
    if (!made.ok) {
      return made.failure;
    }
    onMade(made.value);
    return undefined;
  };
  return (
    <FormDialog
      title={t(existing ? 'connect.again' : 'connect.title', { name: existing?.displayName ?? piece.displayName })}
      submit={t(oauth ? 'connect.allow' : 'connect.save')}
      onClose={onClose}
      perform={perform}>
      {(problems) => (
        <>
          {existing ? (
            <p class="faint">{t('connect.againText')}</p>
          ) : (
            <TextField
              label={t('connect.name')}
              value={displayName}
              onValue={setDisplayName}
              problem={problems['displayName']}
            />
          )}
          {auths.length > 1 ? (
            <SelectField
              label={t('connect.kind')}
              value={kind}
              onValue={(next) => setKind(next as typeof kind)}
              options={auths.map((each) => ({ value: each.type, label: t(`connect.kind.${each.type}` as TextKey) }))}
            />
          ) : null}
          <AuthInputs
            pieceName={piece.name}
            auth={auth}
            secrets={secrets}
            onSecrets={setSecrets}
            problems={problems}
            withClient={platformClient === undefined}
          />
          {client ? <Checkbox label={t('connect.ownClient')} checked={own} onChange={setOwn} /> : null}
        </>
      )}
    </FormDialog>
  );
}

const APPS_MAX = 100;

const clientOf = (apps: Answer<'GET /v1/oauth-apps'> | undefined, pieceName: string): string | undefined =>
  (apps?.data as Array<{ pieceName: string; clientId: string }> | undefined)?.find(
    (each) => each.pieceName === pieceName,
  )?.clientId;

const ID_LETTERS = 21;

interface Made extends Pick<Props, 'piece' | 'projectId' | 'existing' | 'sharing'> {
  displayName: string;
  proof: Proof;
}

async function save({ piece, projectId, existing, sharing, displayName, proof }: Made): Promise<Result<Connection>> {
  const externalId = existing?.externalId ?? unique().replaceAll('-', '').slice(0, ID_LETTERS);
  const common = { externalId, displayName, pieceName: piece.name, pieceVersion: piece.version, ...proof };
  return sharing
    ? reliably('POST /v1/global-connections', {
        body: { ...common, ...sharing, scope: 'PLATFORM' } as NewGlobalConnection,
      })
    : reliably('POST /v1/app-connections', { body: { ...common, projectId } as NewConnection });
}
