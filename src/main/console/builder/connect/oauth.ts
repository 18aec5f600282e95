import { api } from '../../base/api/client';
import { refused, success, failure, type Result } from '../../base/api/failure';
import { grantOf, openPopup, redirectUrlOf } from '../../base/popup';
import { session } from '../../base/session';
import { t } from '../../base/text';

export function redirectUrl(): string {
  const now = session.get();
  return redirectUrlOf(now.state === 'in' ? now.flags : {});
}

interface Wish {
  pieceName: string;
  displayName: string;
  pieceVersion: string;
  projectId: string;
  clientId: string;
  props?: Record<string, unknown> | undefined;
}

export async function allow(wish: Wish): Promise<Result<{ code: string; verifier?: string }>> {
  const { props, displayName, ...rest } = wish;
  const popup = openPopup('oauth', t('connect.asking', { name: displayName }));
  const answer = await api('POST /v1/app-connections/oauth2/authorization-url', {
    body: { ...rest, redirectUrl: redirectUrl(), ...(props ? { props } : {}) },
  });
  if (!answer.ok || !popup) {
    popup?.close();
    return answer.ok ? refused(failure('POPUP', { message: t('connect.popup') })) : answer;
  }
  popup.location.href = answer.value.authorizationUrl;
  const granted = await grantOf(popup, redirectUrl());
  const verifier = answer.value.codeVerifier;
  if (granted && 'refusal' in granted) {
    return refused(failure('OAUTH', { message: t('connect.refused', { reason: granted.refusal }) }));
  }
  return granted
    ? success({ code: granted.code, ...(verifier ? { verifier } : {}) })
    : refused(failure('OAUTH', { message: t('connect.notAllowed') }));
}
