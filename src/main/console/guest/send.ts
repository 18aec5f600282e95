import { prefix } from '../base/prefix';
import { t } from '../base/text';

/** What became of a call: an answer, or a sentence that says why there is none. */
export type Outcome = { ok: true; body: unknown } | { ok: false; status: number; words: string };

const parsed = (text: string, type: string): unknown => {
  if (!type.includes('json')) {
    return text;
  }
  try {
    return text === '' ? undefined : JSON.parse(text);
  } catch {
    return text;
  }
};

function wordsOf(status: number, body: unknown): string {
  const message = typeof body === 'object' && body !== null ? (body as { message?: unknown }).message : undefined;
  switch (status) {
    case 0: return t('guest.failed.offline');
    case 408: return t('guest.failed.late');
    case 413: return t('guest.failed.size');
    case 429: case 503: return t('guest.failed.busy');
    case 404: case 410: return t('guest.failed.closed');
    default: return status >= 500 ? t('guest.failed.run') : t('guest.failed.refused', { message: typeof message === 'string' ? message : String(status) });
  }
}

/** Asks for what a guest may see. No session is sent along: guests have none. */
export async function ask(path: string): Promise<Outcome> {
  try {
    const answer = await fetch(prefix + path, { headers: { Accept: 'application/json' }, credentials: 'omit' });
    const body = parsed(await answer.text(), answer.headers.get('Content-Type') ?? '');
    return answer.ok ? { ok: true, body } : { ok: false, status: answer.status, words: wordsOf(answer.status, body) };
  } catch {
    return { ok: false, status: 0, words: wordsOf(0, undefined) };
  }
}

/**
 * Sends, and tells how far it is. `fetch` cannot tell that.
 *
 * @param onShare how much has left, from 0 to 1
 */
export function send(path: string, body: FormData | object, onShare: (share: number) => void = () => {}): Promise<Outcome> {
  return new Promise((resolve) => {
    const request = new XMLHttpRequest();
    request.open('POST', prefix + path);
    request.upload.onprogress = (event) => onShare(event.lengthComputable ? event.loaded / event.total : 0);
    request.upload.onload = () => onShare(1);
    request.onload = () => {
      const read = parsed(request.responseText, request.getResponseHeader('Content-Type') ?? '');
      const ok = request.status >= 200 && request.status < 300;
      resolve(ok ? { ok, body: read } : { ok, status: request.status, words: wordsOf(request.status, read) });
    };
    request.onerror = () => resolve({ ok: false, status: 0, words: wordsOf(0, undefined) });
    if (body instanceof FormData) {
      request.send(body);
    } else {
      request.setRequestHeader('Content-Type', 'application/json');
      request.send(JSON.stringify(body));
    }
  });
}
