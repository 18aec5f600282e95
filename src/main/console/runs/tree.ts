export interface Line {
  path: string;
  depth: number;
  name: string;
  kind: 'object' | 'array' | 'string' | 'number' | 'boolean' | 'null';
  /** Text of a leaf; number of entries of a branch. */
  text: string;
  entries: number;
  open: boolean;
}

const kindOf = (value: unknown): Line['kind'] =>
  value === null || value === undefined
    ? 'null'
    : Array.isArray(value)
      ? 'array'
      : typeof value === 'bigint'
        ? 'number'
        : (typeof value as Line['kind']);

const entriesOf = (value: unknown): Array<[string, unknown]> =>
  typeof value === 'object' && value !== null ? Object.entries(value) : [];

/** Initial depth of open branches, except those with many entries. */
const OPEN_DEPTH = 2;
const OPEN_ENTRIES_MAX = 50;

/** Visible lines: entries of open branches. `turned` has the paths of branches that the user opened or closed. */
export function linesOf(value: unknown, turned: ReadonlySet<string>, most = 10_000): Line[] {
  const lines: Line[] = [];
  add('', value, '$', 0);
  return lines;

  function add(name: string, each: unknown, path: string, depth: number): void {
    if (lines.length >= most) {
      return;
    }
    const entries = entriesOf(each);
    const byDefault = depth < OPEN_DEPTH && entries.length <= OPEN_ENTRIES_MAX;
    const open = entries.length > 0 && byDefault !== turned.has(path);
    const kind = kindOf(each);
    lines.push({
      path,
      depth,
      name,
      kind,
      entries: entries.length,
      open,
      text: entries.length > 0 || kind === 'object' || kind === 'array' ? '' : String(each),
    });
    if (open) {
      for (const [entry, inner] of entries) {
        add(entry, inner, `${path}/${entry.replaceAll('~', '~0').replaceAll('/', '~1')}`, depth + 1);
      }
    }
  }
}
