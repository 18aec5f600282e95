import { found, holdsWords } from '../../base/search';

interface Titled {
  title: string;
  about: string;
}

/**
 * Entries for a query: titles of pieces and of operations with its words, pieces whose other texts have them, and then
 * what has only their letters in order.
 */
export function matches<T extends Titled>(
  pieces: readonly T[],
  operations: readonly T[],
  wordsOf: (piece: T) => string,
  typed: string,
): T[] {
  const byName = found(pieces, typed, (entry) => entry.title);
  const byOperation = found(operations, typed, (entry) => `${entry.title} ${entry.about}`);
  const byWords = pieces.filter((entry) => holdsWords(`${wordsOf(entry)} ${entry.about}`, typed));
  const isNamed = (entry: T): boolean => holdsWords(entry.title, typed);
  return [
    ...new Set([...byName.filter(isNamed), ...byOperation.filter(isNamed), ...byWords, ...byName, ...byOperation]),
  ];
}
