/** Failed request as a value with all details for the user, never an exception. */
export interface Failure {
  /** HTTP status; 0 when no answer came. */
  status: number;
  /** Error code of the server; `OFFLINE` without a response, `CANCELED` after an abort. */
  code: string;
  /** Message of the server; may be empty. */
  message: string;
  params: Record<string, unknown>;
  /** Messages by field name; messages about no field are in `message` only. */
  fields: Record<string, string>;
  requestId: string;
  /** Seconds until a retry makes sense; 0 if the server named none. */
  retryAfter: number;
}

export type Result<T> = { ok: true; value: T } | { ok: false; failure: Failure };

export const success = <T>(value: T): Result<T> => ({ ok: true, value });
export const refused = <T>(failure: Failure): Result<T> => ({ ok: false, failure });

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

/** Violation in the format of the server: `body/settings/name text`. */
const violation = /^(body|querystring|params|headers)\/(\S*) (.+)$/;

/**
 * Violations by field. The server joins them with a comma and a space; a text may contain one too, so a part without a
 * field belongs to the previous violation.
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

export function failureOf(status: number, body: unknown, requestId: string, retryAfter: string | null): Failure {
  const said = (typeof body === 'object' && body !== null ? body : {}) as ErrorBody;
  const params = said.params ?? {};
  const message =
    [said.message, params['message'], params['error']].find((each): each is string => typeof each === 'string') ?? '';
  return failure(said.code ?? String(status), {
    status,
    message,
    params,
    fields: said.code === 'FST_ERR_VALIDATION' ? fieldsOf(message) : {},
    requestId,
    retryAfter: Number(retryAfter) || 0,
  });
}
