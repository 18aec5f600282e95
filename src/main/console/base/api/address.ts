export type Parameters = Record<string, unknown>;

/** Path with its parameters filled in, and the query string without undefined parameters. */
export function address(path: string, places: Parameters, query: Parameters): string {
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(String(places[name] ?? '')));
  const search: string[] = [];
  for (const [name, value] of Object.entries(query)) {
    for (const each of Array.isArray(value) ? value : [value]) {
      if (each !== undefined && each !== null && each !== '') {
        search.push(`${encodeURIComponent(name)}=${encodeURIComponent(String(each))}`);
      }
    }
  }
  return search.length === 0 ? filled : `${filled}?${search.join('&')}`;
}
