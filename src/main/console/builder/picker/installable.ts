/** Published piece that is not installed. Without a version, the newest one is meant. */
export interface Installable {
  name: string;
  displayName: string;
  description: string;
  version?: string;
}

/** npm package for a query without match in the catalogue: a full name unchanged, a word as an official piece. */
export function packageFor(typed: string): Installable | undefined {
  const word = typed.trim().toLowerCase().replace(/\s+/g, '-');
  const name = word.includes('/') || word.startsWith('piece-') ? word : `@activepieces/piece-${word}`;
  return /^(@[a-z0-9][a-z0-9._-]*\/)?[a-z0-9][a-z0-9._-]+$/.test(name) && word !== ''
    ? { name, displayName: typed.trim(), description: '' }
    : undefined;
}
