/** Protocol between the host page and the console in its frame, over `postMessage`. */

export type ToConsole =
  | {
      millrace: 'configure';
      token: string;
      path?: string;
      hideNavigation?: boolean;
      theme?: 'system' | 'light' | 'dark';
    }
  | { millrace: 'navigate'; path: string }
  | { millrace: 'hideNavigation'; hide: boolean };

export type ToHost =
  | { millrace: 'ready' }
  | { millrace: 'signedIn'; projectId: string }
  | { millrace: 'route'; path: string }
  | { millrace: 'failed'; code: string; message: string };

const THEMES = ['system', 'light', 'dark'];

const isText = (value: unknown): value is string => typeof value === 'string';

/** Complete message of the protocol; undefined for any other data. */
export function readToConsole(data: unknown): ToConsole | undefined {
  const said = (typeof data === 'object' && data !== null ? data : {}) as Record<string, unknown>;
  const path = said['path'];
  switch (said['millrace']) {
    case 'configure':
      return isText(said['token']) && said['token'] !== ''
        ? {
            millrace: 'configure',
            token: said['token'],
            ...(isText(path) && isPath(path) ? { path } : {}),
            ...(typeof said['hideNavigation'] === 'boolean' ? { hideNavigation: said['hideNavigation'] } : {}),
            ...(THEMES.includes(said['theme'] as string) ? { theme: said['theme'] as 'system' } : {}),
          }
        : undefined;
    case 'navigate':
      return isText(path) && isPath(path) ? { millrace: 'navigate', path } : undefined;
    case 'hideNavigation':
      return typeof said['hide'] === 'boolean' ? { millrace: 'hideNavigation', hide: said['hide'] } : undefined;
    default:
      return undefined;
  }
}

const KINDS_TO_HOST = ['ready', 'signedIn', 'route', 'failed'];

/** The console is trusted: the fields of its messages are not checked. */
const isToHost = (data: unknown): data is ToHost =>
  typeof data === 'object' && data !== null && 'millrace' in data && KINDS_TO_HOST.includes(String(data.millrace));

export const readToHost = (data: unknown): ToHost | undefined => (isToHost(data) ? data : undefined);

/** True for a path within this console: no other host, no control characters. */
export const isPath = (path: string): boolean => /^\/(?![/\\])/.test(path) && !/[\u0000-\u001f\\]/.test(path);

/** Location for a path of the host: `/flows` is that of the user's project. */
export const placeOf = (path: string, projectId: string): string =>
  /^\/(projects|platform)(\/|$)/.test(path) ? path : `/projects/${projectId}${path === '/' ? '/flows' : path}`;

export const pathOf = (place: string, projectId: string): string =>
  place.startsWith(`/projects/${projectId}/`) ? place.slice(`/projects/${projectId}`.length) : place;
