import type { TextKey } from '../base/text';
import type { Run } from './model';

export interface StepError {
  message: string;
  name: string;
  /** Line of the author's source, for an error of code. */
  line?: number;
  status?: number;
  request?: string;
  more: Record<string, unknown>;
}

/** Parses the error of a step: JSON, or plain text from earlier releases. */
export function errorOf(text: string): StepError {
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {
    return { message: text, name: '', more: {} };
  }
  if (typeof json !== 'object' || json === null) {
    return { message: String(json), name: '', more: {} };
  }
  const { message, errorName, line, status, requestUrl, requestMethod, ...rest } = json as Record<string, unknown>;
  const more = Object.fromEntries(Object.entries(rest).filter(([key]) => key.toLowerCase() !== '__aperrorversion'));
  return {
    message: innerMessage(typeof message === 'string' ? message : text),
    name: typeof errorName === 'string' ? errorName : '',
    ...(typeof line === 'number' && Number.isInteger(line) && line > 0 ? { line } : {}),
    ...(typeof status === 'number' ? { status } : {}),
    ...(typeof requestUrl === 'string'
      ? { request: `${String(requestMethod ?? 'GET').toUpperCase()} ${requestUrl}` }
      : {}),
    more,
  };
}

const CUT = /"message"\s*:\s*"((?:[^"\\]|\\.)*)/;

/** Error in one line. Lists truncate it, so the JSON may be incomplete. */
export function lineOf(text: string): string {
  if (!text.startsWith('{')) {
    return text;
  }
  const error = errorOf(text);
  if (error.message !== text) {
    return error.message;
  }
  const cut = CUT.exec(text)?.[1];
  return cut === undefined ? text : cut.replace(/\\n/g, '\n').replace(/\\(["\\/])/g, '$1');
}

/** Messages of named errors are JSON once more. */
function innerMessage(message: string): string {
  if (!message.startsWith('{')) {
    return message;
  }
  try {
    const inner = JSON.parse(message) as { message?: unknown };
    return typeof inner.message === 'string' ? inner.message : message;
  } catch {
    return message;
  }
}

export type Kind =
  | 'credentials'
  | 'connectionMissing'
  | 'notFound'
  | 'tooMany'
  | 'rejected'
  | 'remote'
  | 'unreachable'
  | 'blocked'
  | 'slow'
  | 'piece'
  | 'formula'
  | 'items'
  | 'crashed'
  | 'storage'
  | 'file'
  | 'code'
  | 'step';

const byName: Record<string, Kind> = {
  ConnectionNotFound: 'connectionMissing',
  ConnectionExpired: 'credentials',
  ConnectionLoadingFailure: 'connectionMissing',
  SSRFBlockedError: 'blocked',
  PieceNotFoundError: 'piece',
  FormulaEvaluationError: 'formula',
  StorageLimitError: 'storage',
  StorageInvalidKeyError: 'storage',
  StorageError: 'storage',
  FileStoreError: 'file',
  FileSizeError: 'file',
  TypeError: 'code',
  ReferenceError: 'code',
  SyntaxError: 'code',
  RangeError: 'code',
};

const byWords: ReadonlyArray<readonly [RegExp, Kind]> = [
  [/server ended while this step/i, 'crashed'],
  [
    /ECONNREFUSED|ENOTFOUND|EHOSTUNREACH|ECONNRESET|EAI_AGAIN|connection refused|connection reset|unknown host|failed to resolve|fetch failed/i,
    'unreachable',
  ],
  [/ETIMEDOUT|timed? ?out|took too long/i, 'slow'],
  [/must be (a list|an array|iterable)|expected an array|items/i, 'items'],
];

export function kindOf(error: StepError, stepType: string): Kind {
  const status = error.status ?? 0;
  const known = byName[error.name];
  if (known) {
    return known;
  }
  if (status !== 0) {
    return status === 401 || status === 403
      ? 'credentials'
      : status === 404 || status === 410
        ? 'notFound'
        : status === 429
          ? 'tooMany'
          : status >= 500
            ? 'remote'
            : 'rejected';
  }
  const worded = byWords.find(
    ([words, kind]) => words.test(error.message) && (kind !== 'items' || stepType === 'LOOP_ON_ITEMS'),
  );
  return worded?.[1] ?? (stepType === 'CODE' ? 'code' : 'step');
}

export const wordsOf = (kind: Kind): { means: TextKey; todo: TextKey } => ({
  means: `runs.error.${kind}.means` as TextKey,
  todo: `runs.error.${kind}.todo` as TextKey,
});

/** End states of a run that no step explains. */
const endings: ReadonlySet<Run['status']> = new Set([
  'TIMEOUT',
  'MEMORY_LIMIT_EXCEEDED',
  'LOG_SIZE_EXCEEDED',
  'QUOTA_EXCEEDED',
  'INTERNAL_ERROR',
  'CANCELED',
  'PAUSED',
] as const);

export const endingOf = (status: Run['status']): { means: TextKey; todo: TextKey } | undefined =>
  endings.has(status)
    ? { means: `runs.ending.${status}.means` as TextKey, todo: `runs.ending.${status}.todo` as TextKey }
    : undefined;
