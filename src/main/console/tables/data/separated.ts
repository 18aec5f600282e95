/** Rows of cells, tab-separated in the clipboard and comma-separated in files. */
export type Cells = string[][];

/** Parses separated values; cells with a separator, a quote or a line break are quoted. */
export const read = (text: string, separator: string): Cells => records(text, separator).map(({ cells }) => cells);

interface Line {
  cells: string[];
  /** True for a blank record: a line without cells, or with empty unquoted cells only. */
  isBlank: boolean;
  /** True if text follows a closing quote, which suggests another separator. */
  isTorn: boolean;
}

/** @param max limit of records */
function records(text: string, separator: string, max = Infinity): Line[] {
  const found: Line[] = [];
  let cells: string[] = [];
  let isBlank = true;
  let isTorn = false;
  let at = 0;
  const end = text.length;
  while (at < end && found.length < max) {
    let cell = '';
    const isQuoted = text[at] === '"';
    if (isQuoted) {
      [cell, at] = quoted(text, at + 1);
      isBlank = false;
    }
    const from = at;
    while (at < end && text[at] !== separator && text[at] !== '\n' && text[at] !== '\r') {
      at++;
    }
    cell += text.slice(from, at);
    isTorn ||= isQuoted && text.slice(from, at).trim() !== '';
    isBlank &&= cell === '';
    cells.push(cell);
    if (text[at] === separator) {
      at++;
      if (at === end) {
        cells.push('');
      }
      continue;
    }
    at += text[at] === '\r' && text[at + 1] === '\n' ? 2 : 1;
    found.push({ cells, isBlank, isTorn });
    cells = [];
    isBlank = true;
    isTorn = false;
  }
  if (cells.length > 0) {
    found.push({ cells, isBlank, isTorn });
  }
  return found;
}

/** Quoted text, and the position after it. Text right after the closing quote belongs to the cell. */
function quoted(text: string, from: number): [string, number] {
  let cell = '';
  let at = from;
  for (;;) {
    const quote = text.indexOf('"', at);
    if (quote < 0) {
      return [cell + text.slice(at), text.length];
    }
    cell += text.slice(at, quote);
    if (text[quote + 1] !== '"') {
      return [cell, quote + 1];
    }
    cell += '"';
    at = quote + 2;
  }
}

/** A row of empty cells starts with quotes: readers skip blank lines. */
export function write(rows: Cells, separator: string): string {
  const special = separator === '\t' ? /["\t\n\r]/ : /["\t,;|\n\r]/;
  const quote = (cell: string): string => `"${cell.replaceAll('"', '""')}"`;
  const line = (row: readonly string[]): string =>
    row
      .map((cell, at) => (special.test(cell) || (at === 0 && /^sep=/i.test(cell)) ? quote(cell) : cell))
      .join(separator);
  return rows
    .map((row) => (row.every((cell) => cell === '') ? [quote(''), ...row.slice(1)].join(separator) : line(row)))
    .join('\r\n');
}

/** Detected separators, most common first. */
export const SEPARATORS = [',', ';', '\t', '|'] as const;

const SAMPLE_CHARACTERS = 1 << 18;
const SAMPLE_RECORDS = 50;
const SEPARATOR_LINE = /^sep=([^\r\n])(?:\r\n|\r|\n|$)/i;

export interface Separated {
  /** Rows with at least one value, including the first line. */
  rows: Cells;
  separator: string;
}

/**
 * Parses a file. The separator is the given one, the one of a line `sep=`, or the one that splits most records into
 * equal numbers of cells; of several, one that is not punctuation.
 */
export function readFile(text: string, given?: string): Separated {
  const plain = text.replace(/^\ufeff/, '');
  const line = SEPARATOR_LINE.exec(plain);
  const rest = line ? plain.slice(line[0].length) : plain;
  const separator = given ?? line?.[1] ?? separatorOf(rest);
  return {
    rows: records(rest, separator)
      .filter(({ isBlank }) => !isBlank)
      .map(({ cells }) => cells),
    separator,
  };
}

/** Returns true if a space follows each occurrence, as in "Last, first". */
const isPunctuation = (sample: string, separator: string): boolean =>
  sample
    .split(separator)
    .slice(1)
    .every((rest) => rest.startsWith(' '));

function separatorOf(text: string): string {
  const sample = text.slice(0, SAMPLE_CHARACTERS);
  let best = { separator: ',', equal: 0, isSpaced: true, columns: 1 };
  for (const separator of SEPARATORS) {
    const counts = records(sample, separator, SAMPLE_RECORDS).filter(({ isBlank }) => !isBlank);
    const columns = counts[0]?.cells.length ?? 1;
    const equal = counts.filter(({ cells, isTorn }) => cells.length === columns && !isTorn).length;
    const isSpaced = isPunctuation(sample, separator);
    const ranks = [equal - best.equal, Number(best.isSpaced) - Number(isSpaced), columns - best.columns];
    if (columns > 1 && (ranks.find((rank) => rank !== 0) ?? 0) > 0) {
      best = { separator, equal, isSpaced, columns };
    }
  }
  return best.separator;
}

/**
 * Protects against formula injection: a cell that starts like a formula and is not a number gets a leading apostrophe.
 * Existing apostrophes are kept, plus one.
 */
export const harmless = (cell: string): string => (/^'*[=+\-@\t\r]/.test(cell) && !isNumber(cell) ? `'${cell}` : cell);

const isNumber = (cell: string): boolean => cell.trim() !== '' && !Number.isNaN(Number(cell));

/** Cell without the apostrophe of {@link harmless}. */
export const plain = (cell: string): string => (/^'+[=+\-@\t\r]/.test(cell) ? cell.slice(1) : cell);
