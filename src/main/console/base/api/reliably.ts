import type { Operations } from '#api';
import { unique } from '../unique';
import { api, type Answer, type Wish } from './client';
import type { Result } from './failure';
import { mayRepeat, pauseMs } from './repeat';
import { UndecidedWrites } from './undecided';

const TURNS = 5;

const undecided = new UndecidedWrites(unique);

/**
 * Sends a request until the server has decided, at most five times, each time under the same key: a write whose answer was lost is
 * performed once. Sent again by the user with the same content, it still has that key.
 */
export async function reliably<K extends keyof Operations>(operation: K, wish: Wish<K>): Promise<Result<Answer<K>>> {
  const write = writeOf(operation, wish);
  const key = write === undefined ? undefined : undecided.keyOf(write);
  for (let turn = 1; ; turn++) {
    const answer = await api(operation, { ...wish, key });
    const isDecided = answer.ok || !mayRepeat(answer.failure);
    if (isDecided && write !== undefined) {
      undecided.decided(write);
    }
    if (isDecided || turn === TURNS || wish.signal?.aborted) {
      return answer;
    }
    await new Promise((resolve) => setTimeout(resolve, pauseMs(answer.failure, turn)));
  }
}

/** Content of a write; undefined for a read. Uploads cannot be compared: each has a new key. */
function writeOf<K extends keyof Operations>(operation: K, { path, query, body }: Wish<K>): string | undefined {
  if (operation.startsWith('GET ')) {
    return undefined;
  }
  return body instanceof FormData ? unique() : JSON.stringify([operation, path, query, body]);
}
