import type { Operations } from '#api';
import { unique } from '../unique';
import { api, type Answer, type Wish } from './client';
import type { Result } from './failure';
import { mayRepeat, pauseMs } from './repeat';

const TURNS = 5;

/**
 * Sends a request until the server has decided, at most five times, each time under the same key: a write whose answer was lost is
 * performed once.
 */
export async function reliably<K extends keyof Operations>(operation: K, wish: Wish<K>): Promise<Result<Answer<K>>> {
  const key = operation.startsWith('GET ') ? undefined : unique();
  for (let turn = 1; ; turn++) {
    const answer = await api(operation, { ...wish, key });
    if (answer.ok || turn === TURNS || !mayRepeat(answer.failure) || wish.signal?.aborted) {
      return answer;
    }
    await new Promise((resolve) => setTimeout(resolve, pauseMs(answer.failure, turn)));
  }
}
