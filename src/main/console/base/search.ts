/**
 * Score of a text for a query, 0 for no match. Words match in any order; the beginning of a word scores more than its
 * middle, and letters in order score a little.
 */
export function fitness(text: string, typed: string): number {
  const here = text.toLowerCase();
  const words = typed.toLowerCase().split(/\s+/).filter(Boolean);
  let sum = 1;
  for (const word of words) {
    const one = fitnessOfWord(here, word);
    if (one === 0) {
      return 0;
    }
    sum += one;
  }
  return sum;
}

function fitnessOfWord(text: string, word: string): number {
  const at = text.indexOf(word);
  if (at === 0) {
    return 12;
  }
  if (at > 0) {
    return /[\s\-_/.@(]/.test(text[at - 1] ?? '') ? 8 : 4;
  }
  let from = 0;
  for (const letter of word) {
    from = text.indexOf(letter, from) + 1;
    if (from === 0) {
      return 0;
    }
  }
  return word.length > 1 ? 1 : 0;
}

/** Matching elements, best score first; equal scores keep their order. */
export function found<T>(all: readonly T[], typed: string, textOf: (each: T) => string): T[] {
  return all
    .map((each, order) => ({ each, order, fit: fitness(textOf(each), typed) }))
    .filter(({ fit }) => fit > 0)
    .sort((left, right) => right.fit - left.fit || left.order - right.order)
    .map(({ each }) => each);
}

/** Every word of the query occurs in the text literally, not only as letters in order. */
export const holdsWords = (text: string, typed: string): boolean =>
  typed
    .toLowerCase()
    .split(/\s+/)
    .every((word) => text.toLowerCase().includes(word));
