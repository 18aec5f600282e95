import { decoded, encodingOf, type Encoding } from './encoding';
import { BadArchive } from './inflate';
import { plain, readFile, type Cells } from './separated';
import { workbookOf } from './xlsx';

export type FileKind = 'csv' | 'json' | 'xlsx';

/** Options for reading a file; absent ones are detected. */
export interface Choices {
  encoding?: Encoding;
  separator?: string;
  sheet?: string;
}

export interface TableFile {
  kind: FileKind;
  encoding?: Encoding;
  separator?: string;
  sheet?: string;
  sheets: string[];
  /** Unique names of the columns. */
  header: string[];
  rows: Cells;
  /** Number of rows with more or fewer cells than the header: missing cells are empty, further ones get additional columns. */
  ragged: number;
}

const ZIP = [0x50, 0x4b, 0x03, 0x04];

/** Reads separated values, a workbook, or JSON; undefined without readable rows. */
export function tableFileOf(bytes: Uint8Array, choices: Choices = {}): TableFile | undefined {
  try {
    if (ZIP.every((byte, at) => bytes[at] === byte)) {
      return ofWorkbook(bytes, choices);
    }
    const encoding = choices.encoding ?? encodingOf(bytes);
    const text = decoded(bytes, encoding);
    return (
      (choices.separator === undefined && /^\ufeff?\s*[[{]/.test(text) ? ofJson(text, encoding) : undefined) ??
      ofSeparated(text, encoding, choices)
    );
  } catch (failure) {
    if (failure instanceof BadArchive) {
      return undefined;
    }
    throw failure;
  }
}

function ofWorkbook(bytes: Uint8Array, choices: Choices): TableFile | undefined {
  const book = workbookOf(bytes);
  const filled = (name: string): Cells => book.rowsOf(name).filter((row) => row.some((cell) => cell !== ''));
  const sheet = choices.sheet ?? book.names.find((name) => filled(name).length > 0);
  return sheet === undefined ? undefined : named(filled(sheet), { kind: 'xlsx', sheet, sheets: book.names });
}

function ofSeparated(text: string, encoding: Encoding, choices: Choices): TableFile | undefined {
  const { rows, separator } = readFile(text, choices.separator);
  return named(
    rows.map((row) => row.map(plain)),
    { kind: 'csv', encoding, separator, sheets: [] },
  );
}

function named(
  all: Cells,
  about: Pick<TableFile, 'kind' | 'encoding' | 'separator' | 'sheet' | 'sheets'>,
): TableFile | undefined {
  const [first, ...rows] = all;
  if (!first || rows.length === 0) {
    return undefined;
  }
  const width = rows.reduce((most, row) => Math.max(most, row.length), first.length);
  const header = distinct(Array.from({ length: width }, (_, at) => first[at] ?? ''));
  return { ...about, header, rows, ragged: rows.filter((row) => row.length !== first.length).length };
}

/** Unique column names: empty ones become their number, repeated ones are numbered, so that no column is lost. */
export function distinct(names: readonly string[]): string[] {
  const given = names.map((name, at) => name.trim() || `${at + 1}`);
  const taken = new Set(given);
  const numbers = new Map<string, number>();
  return given.map((name) => {
    let number = (numbers.get(name) ?? 0) + 1;
    if (number > 1) {
      while (taken.has(`${name}_${number}`)) {
        number++;
      }
      taken.add(`${name}_${number}`);
    }
    numbers.set(name, number);
    return number === 1 ? name : `${name}_${number}`;
  });
}

/** Accepts a list of objects or lists, an object with one in `rows` or `data`, or one JSON value per line. */
function ofJson(text: string, encoding: Encoding): TableFile | undefined {
  const list = listOf(parsed(text.replace(/^\ufeff/, '')));
  if (!list || list.length === 0) {
    return undefined;
  }
  const about = { kind: 'json' as const, encoding, sheets: [] };
  if (list.every((item) => Array.isArray(item))) {
    return named(
      list.map((item) => (item as unknown[]).map(cellOf)),
      about,
    );
  }
  if (!list.every(isObject)) {
    return undefined;
  }
  const columns = [...new Set(list.flatMap((item) => Object.keys(item)))];
  return {
    ...about,
    header: distinct(columns),
    rows: list.map((item) => columns.map((name) => cellOf(Object.hasOwn(item, name) ? item[name] : undefined))),
    ragged: 0,
  };
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  value !== null && typeof value === 'object' && !Array.isArray(value);

function parsed(text: string): unknown {
  try {
    return JSON.parse(text, exact);
  } catch {
    // May be one JSON value per line.
  }
  try {
    return text
      .split('\n')
      .filter((line) => line.trim() !== '')
      .map((line) => JSON.parse(line, exact) as unknown);
  } catch {
    return undefined;
  }
}

/** Numbers that a double cannot represent stay the written text, in engines that expose it. */
const exact = (_: string, value: unknown, context?: { source?: string }): unknown =>
  typeof value === 'number' && context?.source !== undefined && (context.source.length > 15 || !Number.isFinite(value))
    ? context.source
    : value;

function listOf(value: unknown): unknown[] | undefined {
  return Array.isArray(value)
    ? value
    : isObject(value)
      ? ['rows', 'data', 'records'].map((name) => value[name]).find(Array.isArray)
      : undefined;
}

const cellOf = (value: unknown): string =>
  value === undefined || value === null ? '' : typeof value === 'object' ? JSON.stringify(value) : String(value);
