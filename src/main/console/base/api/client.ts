import type { Operations } from '#api';
import { parseJson } from '../json';
import { prefix } from '../prefix';
import { address, type Parameters } from './address';
import { credentials } from './credentials';
import { discardEarly, takeEarly } from './early';
import { failure, failureOf, refused, success, type Result } from './failure';
import { mayRepeat } from './repeat';

type Key = keyof Operations;
type Part<K extends Key, P extends 'path' | 'query' | 'body'> = Operations[K][P];

/** Rejects unknown properties of a body type that has only optional ones. */
type Given<T> = {} extends T ? { [name: string]: never } | T : T;
export type Wish<K extends Key> = ({} extends Part<K, 'path'> ? { path?: undefined } : { path: Part<K, 'path'> }) &
  ({} extends Part<K, 'query'> ? { query?: Part<K, 'query'> } : { query: Part<K, 'query'> }) &
  (Part<K, 'body'> extends undefined ? { body?: undefined } : { body: Given<Part<K, 'body'>> }) & {
    signal?: AbortSignal | undefined;
    /** Idempotency key: the server performs a write once per key. */
    key?: string | undefined;
    /** Precondition: the server refuses the write for any other version. */
    ifMatch?: string | undefined;
  };

export type Answer<K extends Key> = Operations[K]['answer'];

/** Pause before the only retry of a safe method, after a broken connection or while the server starts. */
const RETRY_MS = 400;

let signedOut: () => void = () => {};

export function onSignedOut(handler: () => void): void {
  signedOut = handler;
}

let denied: () => void = () => {};

export function onDenied(handler: () => void): void {
  denied = handler;
}

let isConfirming = false;

/**
 * A request without a session has the same status as one without permission: the account request distinguishes them.
 */
async function confirmSession(): Promise<void> {
  if (isConfirming) {
    return;
  }
  isConfirming = true;
  try {
    const account = await fetch(`${prefix}/api/v1/users/me`, asking('application/json'));
    if (account.status === 401 || account.status === 403) {
      signedOut();
    }
  } catch (problem) {
    console.info('The session could not be confirmed', problem);
  } finally {
    isConfirming = false;
  }
}

/**
 * Sends a request of the API. Failures are values. The session is in an HttpOnly cookie; the header proves that a page
 * of this server sends the request.
 */
export async function api<K extends Key>(key: K, wish: Wish<K>): Promise<Result<Answer<K>>> {
  const [method = '', path = ''] = (key as string).split(' ');
  const url = prefix + '/api' + address(path, (wish.path ?? {}) as Parameters, (wish.query ?? {}) as Parameters);
  const first = await once<Answer<K>>(method, url, wish);
  const again = !first.ok && method === 'GET' && mayRepeat(first.failure) && first.failure.status !== 429;
  if (!again || wish.signal?.aborted) {
    return first;
  }
  await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
  return once<Answer<K>>(method, url, { ...wish, key: undefined });
}

function asking(accepted: string): { headers: Record<string, string>; credentials: 'omit' | 'same-origin' } {
  const who = credentials();
  return { headers: { Accept: accepted, ...who.headers }, credentials: who.credentials };
}

/** Object URL of an image that needs the credentials of the session; undefined if there is none. */
export async function picture(path: string): Promise<string | undefined> {
  try {
    const answer = await fetch(`${prefix}/api${path}`, asking('image/*'));
    return answer.ok ? URL.createObjectURL(await answer.blob()) : undefined;
  } catch {
    return undefined;
  }
}

interface Sent {
  body?: unknown;
  signal?: AbortSignal | undefined;
  key?: string | undefined;
  ifMatch?: string | undefined;
}

async function once<T>(method: string, url: string, { body, signal, key, ifMatch }: Sent): Promise<Result<T>> {
  const { headers, credentials } = asking('application/json');
  if (key !== undefined) {
    headers['Idempotency-Key'] = key;
  }
  if (ifMatch !== undefined) {
    headers['If-Match'] = `"${ifMatch}"`;
  }
  if (body !== undefined && !(body instanceof FormData)) {
    headers['Content-Type'] = 'application/json';
  }
  let answer: Response;
  try {
    if (method !== 'GET') {
      discardEarly();
    }
    const early = takeEarly(url);
    answer = await (early ??
      fetch(url, {
        method,
        headers,
        credentials,
        signal: signal ?? null,
        body: body === undefined ? null : body instanceof FormData ? body : JSON.stringify(body),
      }));
    return await read<T>(answer);
  } catch (problem) {
    const canceled = problem instanceof DOMException && problem.name === 'AbortError';
    return refused(failure(canceled ? 'CANCELED' : 'OFFLINE'));
  }
}

async function read<T>(answer: Response): Promise<Result<T>> {
  const text = await answer.text();
  const json = (answer.headers.get('Content-Type') ?? '').includes('json');
  const body: unknown = text === '' ? undefined : json ? parseJson(text) : text;
  if (answer.ok) {
    return success(body as T);
  }
  const requestId = answer.headers.get('X-Request-Id') ?? '';
  const reason = failureOf(answer.status, body, requestId, answer.headers.get('Retry-After'));
  // The token of a link can be invalid, too.
  const isToken = reason.code === 'INVALID_BEARER_TOKEN';
  if ((reason.status === 401 && !isToken) || reason.code === 'SESSION_EXPIRED') {
    signedOut();
  } else if (reason.code === 'PERMISSION_DENIED') {
    denied();
  }
  if (isToken || (reason.status === 403 && reason.code !== 'SESSION_EXPIRED')) {
    void confirmSession();
  }
  return refused(reason);
}
