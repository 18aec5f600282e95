import { prefix } from './prefix';

const LOOK_MS = 400;

/** A window for a provider's page. Opened before anything is waited for, or the browser blocks it. */
export const openPopup = (name: string): Window | null => window.open('', name, 'popup,width=560,height=720');

/** The code that our own page, to which the provider leads back, hands over; nothing when the window is closed first. */
export function codeOf(popup: Window, redirectUrl: string): Promise<string | undefined> {
  const { origin } = new URL(redirectUrl);
  return new Promise((resolve) => {
    const end = (code: string | undefined): void => {
      clearInterval(watch);
      window.removeEventListener('message', hear);
      popup.close();
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

/** Where a provider sends the person back: the server's own page, which hands the code to the window that asked. */
export function redirectUrlOf(flags: Record<string, unknown>): string {
  const url = flags['THIRD_PARTY_AUTH_PROVIDER_REDIRECT_URL'];
  return typeof url === 'string' && url !== '' ? url : `${location.origin}${prefix}/redirect`;
}
