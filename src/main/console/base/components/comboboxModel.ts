import { found, holdsWords } from '../search';

export interface ComboOption {
  value: string;
  label: string;
  /** One line below the label. */
  about?: string | undefined;
}

const SHOWN_MAX = 200;

export interface Shown {
  options: ComboOption[];
  /** Number of matches that are not rendered. */
  more: number;
}

/** Options for a query; labels rank before descriptions and values. `query` is undefined until the user types. */
export function shownFor(all: readonly ComboOption[], query: string | undefined): Shown {
  const typed = (query ?? '').trim();
  const matches = typed === '' ? [...all] : byLabelFirst(all, typed);
  return { options: matches.slice(0, SHOWN_MAX), more: Math.max(0, matches.length - SHOWN_MAX) };
}

function byLabelFirst(all: readonly ComboOption[], typed: string): ComboOption[] {
  const byLabel = found(all, typed, (option) => option.label);
  const known = new Set(byLabel);
  return [
    ...byLabel,
    ...all.filter(
      (option) => !known.has(option) && holdsWords(`${option.label} ${option.about ?? ''} ${option.value}`, typed),
    ),
  ];
}

export const firstActive = (options: readonly ComboOption[], value: string): number =>
  Math.max(
    0,
    options.findIndex((option) => option.value === value),
  );

export const namedBy = (options: readonly ComboOption[], query: string | undefined): ComboOption | undefined =>
  options.find((option) => option.label.toLowerCase() === query?.trim().toLowerCase());
