/**
 * Credentials of requests. A page of this server has its session in an HttpOnly cookie, and a header proves its origin.
 * In a third-party frame there are no cookies: the token is kept in memory and is lost with the page.
 */
let token: string | undefined;
let isFramed = false;

export function refuseCookies(): void {
  isFramed = true;
}

export const isInFrame = (): boolean => isFramed;

export function takeToken(given: string | undefined): void {
  token = given;
}

export const tokenOfFrame = (): string | undefined => token;

export function credentials(): { headers: Record<string, string>; credentials: 'omit' | 'same-origin' } {
  if (!isFramed) {
    return { headers: { 'X-Session': 'cookie' }, credentials: 'same-origin' };
  }
  return { headers: token === undefined ? {} : { Authorization: `Bearer ${token}` }, credentials: 'omit' };
}
