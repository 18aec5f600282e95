/** Why a request did not succeed: a value with everything a person may need, never an exception of its own kind. */
export interface Failure {
  /** HTTP status; 0 when no answer came. */
  status: number;
  /** The server's word for it; `OFFLINE` when no answer came, `CANCELED` when nobody waits any more. */
  code: string;
  /** What the server said, in its words; may be empty. */
  message: string;
  /** Parameters of an application error. */
  params: Record<string, unknown>;
  /** Messages by name of the field; what is about no field is in `message` alone. */
  fields: Record<string, string>;
  requestId: string;
  /** Seconds after which another try makes sense; 0 when the server said nothing. */
  retryAfter: number;
}

export type Result<T> = { ok: true; value: T } | { ok: false; failure: Failure };

export const success = <T>(value: T): Result<T> => ({ ok: true, value });
export const refused = <T>(failure: Failure): Result<T> => ({ ok: false, failure });

/** What refused it; what succeeded is handed on. */
export function settle<T>(result: Result<T>, good: (value: T) => void = () => {}): Failure | undefined {
  if (!result.ok) {
    return result.failure;
  }
  good(result.value);
  return undefined;
}

export function failure(code: string, part: Partial<Failure> = {}): Failure {
  return { status: 0, message: '', params: {}, fields: {}, requestId: '', retryAfter: 0, ...part, code };
}

/** One violation as the server writes it: `body/settings/name text`. */
const violation = /^(body|querystring|params|headers)\/(\S*) (.+)$/;

/**
 * Violations by field. The server joins them with a comma and a blank; a text may hold one too, so a part that names no
 * place belongs to the part before it.
 */
export function fieldsOf(message: string): Record<string, string> {
  const fields: Record<string, string> = {};
  let last = '';
  for (const part of message.split(', ')) {
    const match = violation.exec(part);
    if (match) {
      last = (match[2] ?? '').replaceAll('/', '.');
      fields[last] = match[3] ?? '';
    } else if (last !== '') {
      fields[last] += ', ' + part;
    }
  }
  delete fields[''];
  return fields;
}

interface ErrorBody {
  code?: string;
  message?: string;
  params?: Record<string, unknown> | null;
}

/** What an error answer of the API says. */
export function failureOf(status: number, body: unknown, requestId: string, retryAfter: string | null): Failure {
  const said = (typeof body === 'object' && body !== null ? body : {}) as ErrorBody;
  const params = said.params ?? {};
  const message = [said.message, params['message'], params['error']].find((each): each is string => typeof each === 'string') ?? '';
  return failure(said.code ?? String(status), {
    status,
    message,
    params,
    fields: said.code === 'FST_ERR_VALIDATION' ? fieldsOf(message) : {},
    requestId,
    retryAfter: Number(retryAfter) || 0,
  });
}
