import type { Failure } from './failure';

export type Fate =
  /** The server decided: nothing was changed, and the same request would fail again. */
  | 'refused'
  /** Nothing was changed, and the same request may succeed later. */
  | 'busy'
  /** No answer of the server arrived: the request may have been performed. Under its key it can be repeated. */
  | 'lost'
  /** A repetition under the same key returns the same answer. */
  | 'unknown';

/** 502, 503 and 504 come from proxies too, while a server starts or stops: only a 503 with a time to wait is the server's. */
export function fateOf(failure: Failure): Fate {
  if (failure.code === 'OUTCOME_UNKNOWN' || failure.code === 'IDEMPOTENCY_ANSWER_NOT_KEPT') {
    return 'unknown';
  }
  if (failure.code === 'CANCELED') {
    return 'refused';
  }
  if (
    failure.status === 429 ||
    failure.code === 'IDEMPOTENCY_KEY_IN_USE' ||
    (failure.status === 503 && failure.retryAfter > 0)
  ) {
    return 'busy';
  }
  return failure.status === 0 || failure.status >= 500 ? 'lost' : 'refused';
}

/** A write with a key is worth a retry. */
export const mayRepeat = (failure: Failure): boolean => fateOf(failure) === 'busy' || fateOf(failure) === 'lost';

const WAIT_MS = 1_000;
const WAIT_MAX_MS = 30_000;

/** Pause before the next attempt; attempts count from 1. */
export const pauseMs = (failure: Failure, turn: number): number =>
  Math.min(failure.retryAfter > 0 ? failure.retryAfter * 1_000 : WAIT_MS * turn, WAIT_MAX_MS);
