import { prefix } from './prefix';

const LOOK_MS = 400;

/**
 * Window for a provider's page. Open it synchronously in the click handler, or the browser blocks it. It shows a text until the
 * address of the page is known, which can take seconds.
 */
export function openPopup(name: string, waitingFor: string): Window | null {
  const popup = window.open('', name, 'popup,width=560,height=720');
  if (popup) {
    try {
      tell(popup.document, waitingFor);
    } catch {
      // A page of the provider is open there, from an earlier press.
      popup.focus();
    }
  }
  return popup;
}

/** Styles by property: the content security policy of the opener holds in its popup, and forbids style elements. */
function tell(page: Document, text: string): void {
  const { backgroundColor, color, fontFamily } = getComputedStyle(document.body);
  const words = page.createElement('p');
  words.setAttribute('role', 'status');
  words.textContent = text;
  Object.assign(words.style, {
    margin: '38vh auto 0',
    maxWidth: '420px',
    padding: '0 24px',
    textAlign: 'center',
    font: `16px/24px ${fontFamily}`,
    color,
  });
  page.documentElement.lang = document.documentElement.lang;
  page.documentElement.style.background = backgroundColor;
  page.title = text;
  page.body.replaceChildren(words);
}

/** Response of the provider: a code and its issuer (RFC 9207), or the reason of a refusal. */
export type Granted = { code: string; iss?: string } | { refusal: string };

/** Message of the redirect page of this server to its opener; undefined if the user closes the window first. */
export function grantOf(popup: Window, redirectUrl: string): Promise<Granted | undefined> {
  const { origin } = new URL(redirectUrl);
  return new Promise((resolve) => {
    const end = (granted: Granted | undefined): void => {
      clearInterval(watch);
      window.removeEventListener('message', hear);
      popup.close();
      resolve(granted);
    };
    const hear = (event: MessageEvent): void => {
      const { code, iss, refusal } = (event.data ?? {}) as { code?: unknown; iss?: unknown; refusal?: unknown };
      if (event.source !== popup || event.origin !== origin) {
        return;
      }
      if (typeof code === 'string') {
        end({ code: decodeURIComponent(code), ...(typeof iss === 'string' ? { iss } : {}) });
      } else if (typeof refusal === 'string') {
        end({ refusal });
      }
    };
    const watch = window.setInterval(() => popup.closed && end(undefined), LOOK_MS);
    window.addEventListener('message', hear);
  });
}

/** Redirect URL of the provider: a page of this server that posts the code to its opener. */
export function redirectUrlOf(flags: Record<string, unknown>): string {
  const url = flags['THIRD_PARTY_AUTH_PROVIDER_REDIRECT_URL'];
  return typeof url === 'string' && url !== '' ? url : `${location.origin}${prefix}/redirect`;
}
