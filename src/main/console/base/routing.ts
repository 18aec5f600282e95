/** First pattern that matches a path: segments between slashes, `:name` for any segment. */
export interface Match<R> {
  route: R;
  params: Record<string, string>;
}

export function match<R extends { pattern: string }>(routes: readonly R[], path: string): Match<R> | undefined {
  const parts = path.split('/').filter((part) => part !== '');
  for (const route of routes) {
    const params = paramsOf(
      route.pattern.split('/').filter((part) => part !== ''),
      parts,
    );
    if (params) {
      return { route, params };
    }
  }
  return undefined;
}

function paramsOf(pattern: string[], parts: string[]): Record<string, string> | undefined {
  if (pattern.length !== parts.length) {
    return undefined;
  }
  const params: Record<string, string> = {};
  for (const [index, wanted] of pattern.entries()) {
    const part = parts[index] ?? '';
    if (wanted.startsWith(':')) {
      params[wanted.slice(1)] = part;
    } else if (wanted !== part) {
      return undefined;
    }
  }
  return params;
}
