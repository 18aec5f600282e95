/** A file that somebody is given. */
export interface GivenFile {
  name: string;
  href: string;
}

/** What the flow has answered (contract flows-and-engine 24.3). */
export type Answer =
  | { kind: 'nothing' }
  | { kind: 'text'; text: string; files: GivenFile[] }
  | { kind: 'file'; file: GivenFile };

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null && !Array.isArray(value);
const text = (value: unknown): string => (typeof value === 'string' ? value : '');

/** Only what a link may lead to: the web, or the bytes themselves. */
const isSafe = (href: string): boolean => /^https?:\/\//i.test(href) || /^data:[^,]*;base64,/i.test(href) || /^\/api\//.test(href);

function fileOf(value: unknown, unnamed: string): GivenFile | undefined {
  if (typeof value === 'string') {
    return isSafe(value) ? { name: nameIn(value) || unnamed, href: value } : undefined;
  }
  if (!isObject(value)) {
    return undefined;
  }
  const href = text(value['base64Url']) || text(value['url']);
  const extension = text(value['extension']);
  const name = text(value['fileName']) || nameIn(href) || unnamed;
  return isSafe(href) ? { name: extension && !name.endsWith(`.${extension}`) ? `${name}.${extension}` : name, href } : undefined;
}

function nameIn(href: string): string {
  if (href.startsWith('data:')) {
    return '';
  }
  const last = href.split(/[?#]/)[0]!.split('/').at(-1) ?? '';
  return last.includes('.') ? last : '';
}

/** Reads what came back. What has another form is shown as it is, so that nothing that a flow says is lost. */
export function answerOf(body: unknown, unnamed: string): Answer {
  if (body === undefined || body === null || body === '' || (isObject(body) && Object.keys(body).length === 0)) {
    return { kind: 'nothing' };
  }
  if (typeof body === 'string') {
    return { kind: 'text', text: body, files: [] };
  }
  if (isObject(body) && body['type'] === 'file') {
    const file = fileOf(body['value'], unnamed);
    return file ? { kind: 'file', file } : { kind: 'nothing' };
  }
  if (isObject(body) && body['type'] === 'markdown') {
    const given = Array.isArray(body['files']) ? body['files'] : [];
    return {
      kind: 'text',
      text: text(body['value']),
      files: given.map((each) => fileOf(isObject(each) && 'file' in each ? each['file'] : each, unnamed)).filter((file) => file !== undefined),
    };
  }
  return { kind: 'text', text: '```\n' + JSON.stringify(body, null, 2) + '\n```', files: [] };
}
