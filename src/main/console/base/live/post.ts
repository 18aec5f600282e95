import { address, type Parameters } from '../api/address';
import { credentials } from '../api/credentials';
import { failure, failureOf, refused, success, type Result } from '../api/failure';
import { prefix } from '../prefix';
import { eventReader, type ServerEvent } from './events';

/** Sends a POST whose answer is a stream of events; ends with the stream. An abort closes the connection. */
export async function postForEvents(
  path: string,
  parameters: Parameters,
  body: unknown,
  signal: AbortSignal,
  received: (event: ServerEvent) => void,
): Promise<Result<undefined>> {
  const who = credentials();
  try {
    const answer = await fetch(`${prefix}/api${address(path, parameters, {})}`, {
      method: 'POST',
      headers: { Accept: 'text/event-stream, application/json', 'Content-Type': 'application/json', ...who.headers },
      credentials: who.credentials,
      body: JSON.stringify(body),
      signal,
    });
    if (!answer.ok || !answer.body) {
      const isJson = (answer.headers.get('Content-Type') ?? '').includes('json');
      const problem: unknown = isJson ? await answer.json() : await answer.text();
      return refused(
        failureOf(answer.status, problem, answer.headers.get('X-Request-Id') ?? '', answer.headers.get('Retry-After')),
      );
    }
    const read = eventReader();
    const reader = answer.body.pipeThrough(new TextDecoderStream()).getReader();
    for (let piece = await reader.read(); !piece.done; piece = await reader.read()) {
      read(piece.value).forEach(received);
    }
    return success(undefined);
  } catch {
    return refused(failure(signal.aborted ? 'CANCELED' : 'OFFLINE'));
  }
}
