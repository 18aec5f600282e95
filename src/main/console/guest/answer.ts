/** Response of a flow, in the format of the action for guests (contract flows-and-engine 24.3). */
export interface Answer {
  /** Markdown; may be empty. */
  text: string;
  files: AnswerFile[];
}

export interface AnswerFile {
  url: string;
  name: string;
  image: boolean;
}

interface Written {
  type?: unknown;
  value?: unknown;
  files?: unknown;
}

/** Parses a response of any form; unknown ones are shown as text. */
export function answerOf(body: unknown): Answer {
  if (typeof body === 'string') {
    return { text: body, files: [] };
  }
  if (typeof body !== 'object' || body === null || Object.keys(body).length === 0) {
    return { text: '', files: [] };
  }
  const { type, value, files } = body as Written;
  if (type === 'markdown') {
    return { text: typeof value === 'string' ? value : '', files: listOf(files) };
  }
  if (type === 'file') {
    return { text: '', files: listOf([value]) };
  }
  return { text: '```\n' + JSON.stringify(body, null, 2) + '\n```', files: [] };
}

const listOf = (files: unknown): AnswerFile[] =>
  (Array.isArray(files) ? files : []).map(fileOf).filter((file) => file !== undefined);

function fileOf(file: unknown): AnswerFile | undefined {
  const { base64Url, url, mimeType, fileName, extension } = (file ?? {}) as Record<string, unknown>;
  const found = typeof base64Url === 'string' ? base64Url : typeof url === 'string' ? url : '';
  if (!isSafe(found)) {
    return undefined;
  }
  const type = typeof mimeType === 'string' ? mimeType : (/^data:([^;,]*)/.exec(found)?.[1] ?? '');
  return {
    url: found,
    name: nameOf(fileName, extension, found),
    image: /^image\/(png|jpe?g|gif|webp|avif)$/.test(type),
  };
}

/** Permits web addresses, paths and base64 data; no scripts. */
export const isSafe = (url: string): boolean => /^(https?:\/\/|\/(?!\/)|data:[^,]*;base64,)/i.test(url);

function nameOf(fileName: unknown, extension: unknown, url: string): string {
  if (typeof fileName === 'string' && fileName !== '') {
    const ending = typeof extension === 'string' && extension !== '' ? '.' + extension.replace(/^\./, '') : '';
    return fileName.endsWith(ending) ? fileName : fileName + ending;
  }
  const last = url.startsWith('data:') ? '' : (url.split(/[?#]/)[0]!.split('/').at(-1) ?? '');
  return last.includes('.') ? last : '';
}
