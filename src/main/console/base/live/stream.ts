import { credentials } from '../api/credentials';
import { prefix } from '../prefix';
import { eventReader, type ServerEvent } from './events';

const FIRST_WAIT_MS = 500;
const LONGEST_WAIT_MS = 15_000;

/**
 * Hears the server-sent events of an operation until `stop` is called or the server ends the stream. A stream that breaks
 * is opened again behind the last event that came.
 */
export function listen(path: string, heard: (event: ServerEvent) => void): () => void {
  const stop = new AbortController();
  void follow(path, heard, stop.signal);
  return () => stop.abort();
}

async function follow(path: string, heard: (event: ServerEvent) => void, signal: AbortSignal): Promise<void> {
  let last = '';
  let waitMs = FIRST_WAIT_MS;
  while (!signal.aborted) {
    try {
      const ended = await once(path, last, signal, (event) => {
        waitMs = FIRST_WAIT_MS;
        last = event.id || last;
        heard(event);
      });
      if (ended) {
        return;
      }
    } catch (problem) {
      if (signal.aborted) {
        return;
      }
      console.info('A stream of events broke and is opened again', problem);
    }
    await new Promise((resolve) => setTimeout(resolve, waitMs));
    waitMs = Math.min(waitMs * 2, LONGEST_WAIT_MS);
  }
}

/** Whether the stream ended, so that there is no more to hear. */
async function once(path: string, last: string, signal: AbortSignal, heard: (event: ServerEvent) => void): Promise<boolean> {
  const who = credentials();
  const headers: Record<string, string> = { Accept: 'text/event-stream', ...who.headers };
  if (last !== '') {
    headers['Last-Event-ID'] = last;
  }
  const answer = await fetch(`${prefix}/api${path}`, { headers, credentials: who.credentials, signal });
  if (!answer.ok || !answer.body) {
    // Refused for good, unless the server is only busy.
    return answer.status !== 429 && answer.status !== 503;
  }
  const read = eventReader();
  const reader = answer.body.pipeThrough(new TextDecoderStream()).getReader();
  for (let piece = await reader.read(); !piece.done; piece = await reader.read()) {
    read(piece.value).forEach(heard);
  }
  return true;
}
