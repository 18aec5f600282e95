import { credentials } from '../api/credentials';
import { prefix } from '../prefix';
import { eventReader, isFinal, type ServerEvent } from './events';

const FIRST_WAIT_MS = 500;
const LONGEST_WAIT_MS = 15_000;

/**
 * Receives the server-sent events of an operation until `stop` is called, `last` returns true for an event, or the
 * server refuses. A stream that ends in any other way, even cleanly, is opened again after the last event: servers and
 * proxies end streams when they stop.
 */
export function listen(
  path: string,
  heard: (event: ServerEvent) => void,
  last: (event: ServerEvent) => boolean,
): () => void {
  const stop = new AbortController();
  void follow(path, heard, last, stop.signal);
  return () => stop.abort();
}

async function follow(
  path: string,
  heard: (event: ServerEvent) => void,
  isLast: (event: ServerEvent) => boolean,
  signal: AbortSignal,
): Promise<void> {
  let last = '';
  let waitMs = FIRST_WAIT_MS;
  let isOver = false;
  while (!signal.aborted) {
    try {
      const isRefused = await once(path, last, signal, (event) => {
        waitMs = FIRST_WAIT_MS;
        last = event.id || last;
        isOver ||= isLast(event);
        heard(event);
      });
      if (isRefused || isOver) {
        return;
      }
    } catch (problem) {
      if (signal.aborted || isOver) {
        return;
      }
      console.info('A stream of events broke and is opened again', problem);
    }
    await new Promise((resolve) => setTimeout(resolve, waitMs));
    waitMs = Math.min(waitMs * 2, LONGEST_WAIT_MS);
  }
}

/** True if the server refuses the stream. */
async function once(
  path: string,
  last: string,
  signal: AbortSignal,
  heard: (event: ServerEvent) => void,
): Promise<boolean> {
  const who = credentials();
  const headers: Record<string, string> = { Accept: 'text/event-stream', ...who.headers };
  if (last !== '') {
    headers['Last-Event-ID'] = last;
  }
  const answer = await fetch(`${prefix}/api${path}`, { headers, credentials: who.credentials, signal });
  if (!answer.ok || !answer.body) {
    return isFinal(answer.status);
  }
  const read = eventReader();
  const reader = answer.body.pipeThrough(new TextDecoderStream()).getReader();
  for (let piece = await reader.read(); !piece.done; piece = await reader.read()) {
    read(piece.value).forEach(heard);
  }
  return false;
}
