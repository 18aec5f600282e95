import { api } from '../base/api/client';
import { refuseCookies, takeToken } from '../base/api/credentials';
import { appearance } from '../base/appearance';
import { currentPlace, navigate, onPlace } from '../base/router';
import { enter, session } from '../base/session';
import { createStore } from '../base/store';
import { pathOf, placeOf, readToConsole, type ToConsole, type ToHost } from './messages';

export interface Embedding {
  on: boolean;
  hideNavigation: boolean;
  refusal: string;
}

export const embedding = createStore<Embedding>({ on: false, hideNavigation: false, refusal: '' });

/** First path of a page in a frame. */
const DOOR = '/embed';

let projectId = '';
let told = '';
/** Unknown until the host's first message; until then only `ready` is sent. */
let origin = '*';

const tell = (message: ToHost): void => window.parent.postMessage(message, origin);

/** A page in a frame gets its user from the host page. The content security policy restricts the permitted hosts. */
export const isEmbedded = (): boolean =>
  window.parent !== window && (currentPlace().path === DOOR || window.name === 'millrace');

export function listenToHost(): void {
  const from = currentPlace().path;
  refuseCookies();
  embedding.set({ on: true, hideNavigation: false, refusal: '' });
  window.addEventListener('message', (event) => {
    const message = event.source === window.parent ? readToConsole(event.data) : undefined;
    if (message) {
      origin = event.origin;
      void take(message, from);
    }
  });
  onPlace(tellRoute);
  session.subscribe((now) => {
    if (now.state === 'out' && projectId !== '') {
      // The session has ended: ask the host for a new token.
      projectId = '';
      takeToken(undefined);
      tell({ millrace: 'ready' });
    }
  });
  tell({ millrace: 'ready' });
}

/** The query is private to the view. */
function tellRoute(): void {
  const path = pathOf(currentPlace().path, projectId);
  if (projectId !== '' && path !== told) {
    told = path;
    tell({ millrace: 'route', path });
  }
}

async function take(message: ToConsole, from: string): Promise<void> {
  switch (message.millrace) {
    case 'navigate':
      if (projectId !== '') {
        navigate(placeOf(message.path, projectId));
      }
      break;
    case 'hideNavigation':
      embedding.update((now) => ({ ...now, hideNavigation: message.hide }));
      break;
    case 'configure':
      await begin(message, from === DOOR ? (message.path ?? '/') : from);
      break;
  }
}

async function begin(message: ToConsole & { millrace: 'configure' }, path: string): Promise<void> {
  embedding.update((now) => ({ ...now, hideNavigation: message.hideNavigation ?? now.hideNavigation, refusal: '' }));
  if (message.theme) {
    appearance.set(message.theme);
  }
  const entered = await api('POST /v1/managed-authn/external-token', { body: { externalAccessToken: message.token } });
  if (!entered.ok) {
    embedding.update((now) => ({ ...now, refusal: entered.failure.message || entered.failure.code }));
    tell({ millrace: 'failed', code: entered.failure.code, message: entered.failure.message });
    return;
  }
  takeToken(entered.value.token);
  projectId = entered.value.projectId ?? '';
  navigate(placeOf(path, projectId), 'replace');
  await enter();
  tell({ millrace: 'signedIn', projectId });
  tellRoute();
}
