const UNFOLDED_MAX = 12;

/** Parts of a sample that are shown unfolded: the body of a call and short lists, but not its headers. */
export function startsUnfolded(name: string, value: unknown, depth: number): boolean {
  if (depth === 0) {
    return true;
  }
  const size = value !== null && typeof value === 'object' ? Object.keys(value).length : 0;
  return depth === 1 ? size <= UNFOLDED_MAX && name !== 'headers' : depth === 2 && size === 1;
}
