import type { TextKey } from '../../base/text';
import type { PieceSummary } from '../canvas/pieces';

export type Category = PieceSummary['categories'][number];

/** Section of the picker; without a query, entries are grouped by it. */
export type Section = 'flow' | 'popular' | 'all';

export interface Sectioned<T> {
  section: Section;
  entry: T;
}

const POPULAR_MAX = 10;

/** Entries in their sections: own steps, the pieces used most, all others by name. */
export function sectioned<T extends { title: string }>(
  own: readonly T[],
  pieces: readonly T[],
  rankOf: (entry: T) => number,
): Array<Sectioned<T>> {
  const popular = pieces
    .filter((entry) => rankOf(entry) > 0)
    .sort((one, other) => rankOf(other) - rankOf(one) || one.title.localeCompare(other.title))
    .slice(0, POPULAR_MAX);
  const known = new Set(popular);
  const others = pieces.filter((entry) => !known.has(entry)).sort((one, other) => one.title.localeCompare(other.title));
  const of =
    (section: Section) =>
    (entry: T): Sectioned<T> => ({ section, entry });
  return [...own.map(of('flow')), ...popular.map(of('popular')), ...others.map(of('all'))];
}

/** Categories of pieces, those with most pieces first. */
export function categoriesOf(pieces: Iterable<{ categories: readonly Category[] }>): Category[] {
  const counts = new Map<Category, number>();
  for (const { categories } of pieces) {
    new Set(categories).forEach((category) => counts.set(category, (counts.get(category) ?? 0) + 1));
  }
  return [...counts]
    .sort(([one, few], [other, many]) => many - few || (one < other ? -1 : 1))
    .map(([category]) => category);
}

export const categoryText = (category: Category): TextKey => `picker.category.${category}`;

/** Names that several operations of a piece have, in lower case. */
export function repeatedNames(operations: ReadonlyArray<{ displayName: string }>): Set<string> {
  const seen = new Set<string>();
  return new Set(
    operations.map(({ displayName }) => displayName.toLowerCase()).filter((name) => seen.has(name) || !seen.add(name)),
  );
}
