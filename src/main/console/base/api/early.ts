import { prefix } from '../prefix';
import { address, type Parameters } from './address';
import { credentials } from './credentials';

/** A response that nothing has asked for within this time is outdated. */
const VALID_MS = 10_000;

interface EarlyResponse {
  response: Promise<Response>;
  sentAt: number;
}

declare global {
  /** Responses to requests of `early.ts` by address, for the client of the API. */
  var earlyResponses: Map<string, EarlyResponse> | undefined;
}

/** Sends a GET request before the client of the API is loaded. */
export function sendEarly(path: string, query: Parameters = {}): void {
  const url = `${prefix}/api${address(path, {}, query)}`;
  const { headers, credentials: cookies } = credentials();
  const response = fetch(url, { headers: { Accept: 'application/json', ...headers }, credentials: cookies });
  // The client of the API handles the failure; without this, the browser reports it if there is no client yet.
  response.catch(() => undefined);
  (globalThis.earlyResponses ??= new Map()).set(url, { response, sentAt: performance.now() });
}

/** Discards all responses: a write, such as a sign-in, makes them outdated. */
export function discardEarly(): void {
  globalThis.earlyResponses?.clear();
}

/** Response to an early request; only the first caller gets it. */
export function takeEarly(url: string): Promise<Response> | undefined {
  const early = globalThis.earlyResponses?.get(url);
  globalThis.earlyResponses?.delete(url);
  return early && performance.now() - early.sentAt < VALID_MS ? early.response : undefined;
}
