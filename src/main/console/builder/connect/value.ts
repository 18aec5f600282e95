import { failure, success, type Result } from '../../base/api/failure';
import { t } from '../../base/text';
import type { Auth, Piece } from '../properties';
import type { Secrets } from './AuthInputs';
import { allow, redirectUrl } from './oauth';

export interface Proof {
  type: string;
  value: Record<string, unknown>;
}

interface Wish {
  piece: Piece;
  projectId: string;
  auth: Auth;
  secrets: Secrets;
  /** OAuth client of the platform for this piece, if it is to be used. */
  platformClient: string | undefined;
}

const text = (value: unknown): string => (typeof value === 'string' ? value : '');

export function proofOf(wish: Wish): Promise<Result<Proof>> | Result<Proof> {
  const { auth, secrets } = wish;
  switch (auth.type) {
    case 'OAUTH2':
      return grantOf(wish);
    case 'SECRET_TEXT':
      return success({ type: auth.type, value: { type: auth.type, secret_text: text(secrets['secret_text']) } });
    case 'BASIC_AUTH':
      return success({
        type: auth.type,
        value: { type: auth.type, username: text(secrets['username']), password: text(secrets['password']) },
      });
    default:
      return success({ type: auth.type, value: { type: auth.type, props: secrets['props'] ?? {} } });
  }
}

async function grantOf({ piece, projectId, auth, secrets, platformClient }: Wish): Promise<Result<Proof>> {
  const type = platformClient === undefined ? 'OAUTH2' : 'PLATFORM_OAUTH2';
  const clientId = platformClient ?? text(secrets['client_id']);
  const props = secrets['props'] as Record<string, unknown> | undefined;
  const common = {
    type,
    client_id: clientId,
    scope: (auth.scope ?? []).join(' '),
    redirect_url: redirectUrl(),
    ...(platformClient === undefined ? { client_secret: text(secrets['client_secret']) } : {}),
    ...(props ? { props } : {}),
  };
  if (auth.grantType === 'client_credentials') {
    return success({ type, value: { ...common, grant_type: 'client_credentials' } });
  }
  const allowed = await allow({
    pieceName: piece.name,
    displayName: piece.displayName,
    pieceVersion: piece.version,
    projectId,
    clientId,
    props,
  });
  if (!allowed.ok) {
    return { ok: false, failure: allowed.failure ?? failure('OAUTH', { message: t('connect.notAllowed') }) };
  }
  const { code, verifier } = allowed.value;
  return success({
    type,
    value: { ...common, grant_type: 'authorization_code', code, ...(verifier ? { code_challenge: verifier } : {}) },
  });
}
