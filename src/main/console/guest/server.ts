import type { Chat, Form } from '#api';
import { failure, failureOf, refused, success, type Failure, type Result } from '../base/api/failure';
import { parseJson } from '../base/json';
import { prefix } from './page';
import type { Place } from './place';

export type Shown = Form | Chat;

export type Absence = 'other-kind' | 'not-published' | 'not-found';

export type Found =
  | { kind: 'shown'; view: Shown }
  | { kind: 'absent'; why: Absence }
  | { kind: 'failed'; failure: Failure };

/** No cookies are sent: guests are anonymous. */
export async function look(place: Place): Promise<Found> {
  const view = await ask(place.kind, place.flowId, place.draft);
  if (view.ok) {
    return { kind: 'shown', view: view.value };
  }
  if (view.failure.status !== 404 && view.failure.status !== 400) {
    return { kind: 'failed', failure: view.failure };
  }
  return { kind: 'absent', why: view.failure.status === 400 ? 'not-found' : await absenceOf(place) };
}

async function absenceOf({ kind, flowId, draft }: Place): Promise<Absence> {
  const other = await ask(kind === 'form' ? 'chat' : 'form', flowId, draft);
  if (other.ok) {
    return 'other-kind';
  }
  return !draft && (await ask(kind, flowId, true)).ok ? 'not-published' : 'not-found';
}

async function ask(kind: Place['kind'], flowId: string, draft: boolean): Promise<Result<Shown>> {
  const query = draft ? '?useDraft=true' : '';
  try {
    const answer = await fetch(`${prefix}/api/v1/human-input/${kind}/${encodeURIComponent(flowId)}${query}`, {
      headers: { Accept: 'application/json' },
      credentials: 'omit',
    });
    const body: unknown = await answer.json();
    return answer.ok
      ? success(body as Shown)
      : refused(
          failureOf(answer.status, body, answer.headers.get('X-Request-Id') ?? '', answer.headers.get('Retry-After')),
        );
  } catch {
    return refused(failure('OFFLINE'));
  }
}

export function webhookOf(place: Place, waits: boolean): string {
  return `${prefix}/api/v1/webhooks/${encodeURIComponent(place.flowId)}${place.draft ? '/draft' : ''}${waits ? '/sync' : ''}`;
}

export interface Sending {
  answer: Promise<Result<unknown>>;
  cancel: () => void;
}

/**
 * Sends a form or a message by XMLHttpRequest, because fetch reports no upload progress.
 *
 * @param key idempotency key: browsers repeat a request on a reused connection by themselves when it is answered with
 *     408, as a slow flow does
 * @param progress called with the sent share, from 0 to 1
 */
export function send(
  address: string,
  key: string,
  body: FormData | object,
  progress: (share: number) => void,
): Sending {
  const request = new XMLHttpRequest();
  const answer = new Promise<Result<unknown>>((resolve) => {
    request.upload.onprogress = (event) => event.lengthComputable && progress(event.loaded / event.total);
    request.upload.onload = () => progress(1);
    request.onload = () => resolve(read(request));
    request.onerror = () => resolve(refused(failure('OFFLINE')));
    request.onabort = () => resolve(refused(failure('CANCELED')));
    request.open('POST', address);
    request.setRequestHeader('Idempotency-Key', key);
    if (!(body instanceof FormData)) {
      request.setRequestHeader('Content-Type', 'application/json');
    }
    request.send(body instanceof FormData ? body : JSON.stringify(body));
  });
  return { answer, cancel: () => request.abort() };
}

function read(request: XMLHttpRequest): Result<unknown> {
  const text = request.responseText;
  let body: unknown = text;
  if ((request.getResponseHeader('Content-Type') ?? '').includes('json')) {
    try {
      body = parseJson(text);
    } catch {
      // The content type of the author may be wrong: show the body as text.
    }
  }
  return request.status >= 200 && request.status < 300
    ? success(body)
    : refused(
        failureOf(
          request.status,
          body,
          request.getResponseHeader('X-Request-Id') ?? '',
          request.getResponseHeader('Retry-After'),
        ),
      );
}
