/**
 * Who asks. A page of our own has its session in a cookie that no script sees, and a header proves that it is our page. In
 * a frame of another site there are no cookies: the page keeps its token to itself, and loses it when it is left.
 */
let token: string | undefined;
let isFramed = false;

/** From now on no cookie counts. */
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
