export interface Place {
  kind: 'form' | 'chat';
  flowId: string;
  draft: boolean;
  /** Other query parameters by lower-case name: defaults of a form. */
  defaults: Record<string, string>;
}

const PATH = /\/(forms|chats)\/([^/]+)\/?$/;

/** Parses an address; undefined if it names neither form nor chat. */
export function placeOf(path: string, query: string): Place | undefined {
  const match = PATH.exec(path);
  if (!match) {
    return undefined;
  }
  const { usedraft, ...defaults } = queryOf(query);
  return {
    kind: match[1] === 'forms' ? 'form' : 'chat',
    flowId: decoded(match[2]!),
    draft: usedraft === 'true',
    defaults,
  };
}

function queryOf(query: string): Record<string, string> {
  const found: Record<string, string> = {};
  for (const part of query.replace(/^\?/, '').split('&')) {
    const [name = '', ...value] = part.split('=');
    if (name !== '') {
      found[decoded(name).toLowerCase()] = decoded(value.join('='));
    }
  }
  return found;
}

/** Malformed escapes stay unchanged. */
function decoded(text: string): string {
  const spaced = text.replaceAll('+', ' ');
  try {
    return decodeURIComponent(spaced);
  } catch {
    return spaced;
  }
}
