import { useState } from 'preact/hooks';
import { api } from '../../base/api/client';
import { failure, type Failure } from '../../base/api/failure';
import { FormDialog } from '../../base/components/Dialog';
import { SelectField, TextField } from '../../base/components/Field';
import { t, type TextKey } from '../../base/text';
import { authsOf, type Piece } from '../properties';
import type { Connection } from './AuthField';
import { AuthInputs, type Secrets } from './AuthInputs';
import { allow, redirectUrl } from './oauth';

interface Props {
  piece: Piece;
  projectId: string;
  onClose: () => void;
  onMade: (connection: Connection) => void;
}

/** Makes a connection of the kinds that a piece knows. What is secret is sent once and never shown again. */
export function ConnectionDialog({ piece, projectId, onClose, onMade }: Props) {
  const auths = authsOf(piece);
  const [kind, choose] = useState(auths[0]?.type ?? 'SECRET_TEXT');
  const [displayName, name] = useState(piece.displayName);
  const [secrets, fill] = useState<Secrets>({});
  const auth = auths.find((each) => each.type === kind) ?? auths[0]!;
  const oauth = auth.type === 'OAUTH2';
  const perform = async (): Promise<Failure | undefined> => {
    const value = oauth ? await viaProvider() : { ok: true as const, value: valueOf(auth.type, secrets) };
    if (!value.ok) {
      return value.failure;
    }
    const externalId = crypto.randomUUID().replaceAll('-', '').slice(0, 21);
    const made = await api('POST /v1/app-connections', {
      body: { projectId, externalId, displayName, pieceName: piece.name, pieceVersion: piece.version, type: auth.type, value: value.value } as never,
    });
    if (!made.ok) {
      return made.failure;
    }
    onMade(made.value);
    return undefined;
  };
  const viaProvider = async () => {
    const clientId = String(secrets['client_id'] ?? '');
    const clientCredentials = auth.grantType === 'client_credentials';
    const common = {
      type: 'OAUTH2', client_id: clientId, client_secret: String(secrets['client_secret'] ?? ''), scope: (auth.scope ?? []).join(' '),
      redirect_url: redirectUrl(), ...(secrets['props'] ? { props: secrets['props'] } : {}),
    };
    if (clientCredentials) {
      return { ok: true as const, value: { ...common, grant_type: 'client_credentials' } };
    }
    const allowed = await allow({ pieceName: piece.name, pieceVersion: piece.version, projectId, clientId, props: secrets['props'] as Record<string, unknown> | undefined });
    return allowed.ok ? { ok: true as const, value: { ...common, grant_type: 'authorization_code', code: allowed.value.code, ...(allowed.value.verifier ? { code_challenge: allowed.value.verifier } : {}) } }
      : { ok: false as const, failure: allowed.failure ?? failure('OAUTH', { message: t('connect.notAllowed') }) };
  };
  return (
    <FormDialog title={t('connect.title', { name: piece.displayName })} submit={t(oauth ? 'connect.allow' : 'connect.save')} onClose={onClose} perform={perform}>
      {(problems) => (
        <>
          <TextField label={t('connect.name')} value={displayName} onValue={name} problem={problems['displayName']} />
          {auths.length > 1 ? <SelectField label={t('connect.kind')} value={kind} onValue={(next) => choose(next as typeof kind)}
            options={auths.map((each) => ({ value: each.type, label: t(`connect.kind.${each.type}` as TextKey) }))} /> : null}
          <AuthInputs auth={auth} secrets={secrets} onSecrets={fill} problems={problems} />
        </>
      )}
    </FormDialog>
  );
}

function valueOf(type: string, secrets: Secrets): Record<string, unknown> {
  switch (type) {
    case 'SECRET_TEXT': return { type, secret_text: secrets['secret_text'] ?? '' };
    case 'BASIC_AUTH': return { type, username: secrets['username'] ?? '', password: secrets['password'] ?? '' };
    default: return { type, props: secrets['props'] ?? {} };
  }
}
