import { prefix } from './prefix';

const LOOK_MS = 400;

/** A window for a provider's page. Opened before anything is waited for, or the browser blocks it. */
export const openPopup = (name: string): Window | null => window.open('', name, 'popup,width=560,height=720');

/** What a provider has answered: a code, and who it says it is (RFC 9207). */
export interface Granted {
  code: string;
  iss?: string;
}

/** The code that our own page, to which the provider leads back, hands over; nothing when the window is closed first. */
export function codeOf(popup: Window, redirectUrl: string): Promise<Granted | undefined> {
  const { origin } = new URL(redirectUrl);
  return new Promise((resolve) => {
    const end = (granted: Granted | undefined): void => {
      clearInterval(watch);
      window.removeEventListener('message', hear);
      popup.close();
      resolve(granted);
    };
    const hear = (event: MessageEvent): void => {
      const { code, iss } = (event.data ?? {}) as { code?: unknown; iss?: unknown };
      if (event.source === popup && event.origin === origin && typeof code === 'string') {
        end({ code: decodeURIComponent(code), ...(typeof iss === 'string' ? { iss } : {}) });
      }
    };
    const watch = window.setInterval(() => popup.closed && end(undefined), LOOK_MS);
    window.addEventListener('message', hear);
  });
}

/** Where a provider sends the person back: the server's own page, which hands the code to the window that asked. */
export function redirectUrlOf(flags: Record<string, unknown>): string {
  const url = flags['THIRD_PARTY_AUTH_PROVIDER_REDIRECT_URL'];
  return typeof url === 'string' && url !== '' ? url : `${location.origin}${prefix}/redirect`;
}
