import { api } from '../../base/api/client';
import { refused, success, failure, type Result } from '../../base/api/failure';
import { prefix } from '../../base/prefix';
import { session } from '../../base/session';
import { t } from '../../base/text';

/** Where the provider sends the person back: the server's own page, which hands the code to the window that asked. */
export function redirectUrl(): string {
  const now = session.get();
  const url = now.state === 'in' ? now.flags['THIRD_PARTY_AUTH_PROVIDER_REDIRECT_URL'] : undefined;
  return typeof url === 'string' && url !== '' ? url : `${location.origin}${prefix}/redirect`;
}

interface Wish { pieceName: string; pieceVersion: string; projectId: string; clientId: string; props?: Record<string, unknown> | undefined }

const LOOK_MS = 400;

/** Lets the person allow the access in a window of the provider, and waits for the code. */
export async function allow(wish: Wish): Promise<Result<{ code: string; verifier?: string }>> {
  // Opened before anything is waited for, or the browser blocks it.
  const popup = window.open('', 'oauth', 'popup,width=560,height=720');
  const { props, ...rest } = wish;
  const answer = await api('POST /v1/app-connections/oauth2/authorization-url', { body: { ...rest, redirectUrl: redirectUrl(), props: props ?? null } });
  if (!answer.ok || !popup) {
    popup?.close();
    return answer.ok ? refused(failure('POPUP', { message: t('connect.popup') })) : answer;
  }
  popup.location.href = answer.value.authorizationUrl;
  const code = await codeOf(popup);
  popup.close();
  const verifier = answer.value.codeVerifier;
  return code ? success({ code, ...(verifier ? { verifier } : {}) }) : refused(failure('OAUTH', { message: t('connect.notAllowed') }));
}

function codeOf(popup: Window): Promise<string | undefined> {
  const origin = new URL(redirectUrl()).origin;
  return new Promise((resolve) => {
    const end = (code: string | undefined): void => {
      clearInterval(watch);
      window.removeEventListener('message', hear);
      resolve(code);
    };
    const hear = (event: MessageEvent): void => {
      const code = (event.data as { code?: unknown } | null)?.code;
      if (event.source === popup && event.origin === origin && typeof code === 'string') {
        end(decodeURIComponent(code));
      }
    };
    const watch = window.setInterval(() => popup.closed && end(undefined), LOOK_MS);
    window.addEventListener('message', hear);
  });
}
