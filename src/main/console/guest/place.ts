/** What the address of a page for guests says. */
export interface Place {
  kind: 'form' | 'chat';
  flowId: string;
  /** Whether the version that is being edited is meant. */
  draft: boolean;
  /** Everything else of the query, by name in small letters: defaults of a form. */
  defaults: Record<string, string>;
}

const PATH = /\/(forms|chats)\/([^/]+)\/?$/;

/** Reads an address; undefined where it names no form and no chat. */
export function placeOf(path: string, query: string): Place | undefined {
  const match = PATH.exec(path);
  if (!match) {
    return undefined;
  }
  const { usedraft, ...defaults } = queryOf(query);
  return { kind: match[1] === 'forms' ? 'form' : 'chat', flowId: decoded(match[2]!), draft: usedraft === 'true', defaults };
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

/** What is encoded wrongly is taken as it stands. */
function decoded(text: string): string {
  const spaced = text.replaceAll('+', ' ');
  try {
    return decodeURIComponent(spaced);
  } catch {
    return spaced;
  }
}
