import { decoded, encodingOf } from './encoding';
import { BadArchive } from './inflate';
import { entriesOf } from './zip';

const UNPACKED_BYTES_MAX = 256 << 20;
const COLUMNS_MAX = 1_000;
const DAY_MS = 86_400_000;
/** 30 December 1899: serial dates count days from here, including a nonexistent 29 February 1900. */
const EPOCH_1900 = Date.UTC(1899, 11, 30);
const EPOCH_1904 = Date.UTC(1904, 0, 1);

export interface Workbook {
  names: string[];
  rowsOf: (name: string) => string[][];
}

/** Reads an Office Open XML workbook. Formulas give the stored value; numbers with a date format give ISO dates. */
export function workbookOf(file: Uint8Array): Workbook {
  const entry = entriesOf(file, UNPACKED_BYTES_MAX);
  const textOf = (name: string): string | undefined => {
    const bytes = entry(name);
    return bytes && plainXml(decoded(bytes, encodingOf(bytes)));
  };
  const book = textOf('xl/workbook.xml');
  if (book === undefined) {
    throw new BadArchive('no workbook');
  }
  const related = [...(textOf('xl/_rels/workbook.xml.rels') ?? '').matchAll(/<(?:\w+:)?Relationship\s([^>]*)>/g)].map(
    ([, given = '']) => {
      const target = attribute(given, 'Target');
      return {
        id: attribute(given, 'Id'),
        type: attribute(given, 'Type'),
        path: target.startsWith('/') ? target.slice(1) : `xl/${target}`,
      };
    },
  );
  const ofType = (type: string): string =>
    textOf(related.find((each) => each.type.endsWith(`/${type}`))?.path ?? `xl/${type}.xml`) ?? '';
  const sheets = new Map(
    [...book.matchAll(/<(?:\w+:)?sheet\s([^>]*)>/g)].map(([, given]) => {
      const id = attribute(given!, '(?:\\w+:)?id');
      return [attribute(given!, 'name'), related.find((each) => each.id === id)?.path ?? ''] as const;
    }),
  );
  let shared: string[] | undefined;
  let times: (TimeFormat | undefined)[] | undefined;
  const epoch = /<(?:\w+:)?workbookPr\b[^>]*\bdate1904=["'](?:1|true)["']/.test(book) ? EPOCH_1904 : EPOCH_1900;
  return {
    names: [...sheets.keys()],
    rowsOf: (name) => {
      shared ??= itemsOf(ofType('sharedStrings'));
      times ??= timeFormats(ofType('styles'));
      return rowsOf(textOf(sheets.get(name) ?? '') ?? '', { shared, times, epoch });
    },
  };
}

/** A number in such a format is a moment, or a time that may exceed a day. */
type TimeFormat = 'moment' | 'duration';

interface Known {
  shared: string[];
  times: (TimeFormat | undefined)[];
  epoch: number;
}

function rowsOf(sheet: string, known: Known): string[][] {
  const rows: string[][] = [];
  for (const [, inside = ''] of sheet.matchAll(/<(?:\w+:)?row\b[^>]*?(?:\/>|>([\s\S]*?)<\/(?:\w+:)?row>)/g)) {
    const row: string[] = [];
    let column = 0;
    for (const [, about, content = ''] of inside.matchAll(/<(?:\w+:)?c\b([^>]*?)(?:\/>|>([\s\S]*?)<\/(?:\w+:)?c>)/g)) {
      column = columnOf(attribute(about!, 'r')) ?? column;
      if (column < COLUMNS_MAX) {
        while (row.length < column) {
          row.push('');
        }
        row.push(cellOf(about!, content, known));
      }
      column++;
    }
    rows.push(row);
  }
  return rows;
}

function cellOf(about: string, content: string, { shared, times, epoch }: Known): string {
  const type = attribute(about, 't');
  const value = /<(?:\w+:)?v\b[^>]*>([\s\S]*?)<\/(?:\w+:)?v>/.exec(content)?.[1] ?? '';
  switch (type) {
    case 's':
      return shared[Number(value)] ?? '';
    case 'inlineStr':
      return textOf(content);
    case 'str':
    case 'e':
    case 'd':
      return unescaped(value);
    case 'b':
      return value === '1' ? 'true' : value === '' ? '' : 'false';
    default:
      return value === '' ? '' : numberOf(value, times[Number(attribute(about, 's') || '0')], epoch);
  }
}

function numberOf(value: string, format: TimeFormat | undefined, epoch: number): string {
  switch (format) {
    case 'moment':
      return dateOf(Number(value), epoch);
    case 'duration':
      return durationOf(Number(value));
    default:
      return plainNumber(value);
  }
}

/** Hours, minutes and seconds: a workbook stores days. */
function durationOf(days: number): string {
  const seconds = Math.round((Math.abs(days) * DAY_MS) / 1_000);
  const two = (part: number): string => String(part % 60).padStart(2, '0');
  return `${days < 0 ? '-' : ''}${Math.floor(seconds / 3_600)}:${two(Math.floor(seconds / 60))}:${two(seconds)}`;
}

/**
 * Workbooks store doubles with 17 digits: 0.1 + 0.2 is shown as the shortest text of the same number. Other programs also write
 * integers of 64 bits, which stay as they are.
 */
const plainNumber = (value: string): string =>
  value.length > 15 && !/^-?\d+$/.test(value) && Number.isFinite(Number(value)) ? String(Number(value)) : value;

function dateOf(serial: number, epoch: number): string {
  const early = epoch === EPOCH_1900 && serial < 60 ? 1 : 0;
  const iso = new Date(epoch + Math.round(((serial + early) * DAY_MS) / 1_000) * 1_000);
  return Number.isNaN(iso.getTime())
    ? String(serial)
    : serial < 1
      ? iso.toISOString().slice(11, 19)
      : Number.isInteger(serial)
        ? iso.toISOString().slice(0, 10)
        : `${iso.toISOString().slice(0, 19)}Z`;
}

/** Formats of times in cell styles: built-in ones by number, custom ones by their field characters. */
function timeFormats(styles: string): (TimeFormat | undefined)[] {
  const own = new Map(
    [...styles.matchAll(/<(?:\w+:)?numFmt\s([^>]*)>/g)].map(
      ([, given]) => [attribute(given!, 'numFmtId'), customFormat(attribute(given!, 'formatCode'))] as const,
    ),
  );
  const cells = /<(?:\w+:)?cellXfs\b[^>]*>([\s\S]*?)<\/(?:\w+:)?cellXfs>/.exec(styles)?.[1] ?? '';
  return [...cells.matchAll(/<(?:\w+:)?xf\b([^>]*)>/g)].map(([, given]) => {
    const id = attribute(given!, 'numFmtId');
    const number = Number(id);
    return own.has(id)
      ? own.get(id)
      : number === 46
        ? 'duration'
        : (number >= 14 && number <= 22) || number === 45 || number === 47
          ? 'moment'
          : undefined;
  });
}

/** Brackets around hours, minutes or seconds let them exceed their usual range; other brackets are colors and languages. */
function customFormat(code: string): TimeFormat | undefined {
  const plain = code.replace(/"[^"]*"|\\./g, '');
  return /\[(?:h+|m+|s+)\]/i.test(plain)
    ? 'duration'
    : /[dmyhs]/i.test(plain.replace(/\[[^\]]*\]/g, ''))
      ? 'moment'
      : undefined;
}

const itemsOf = (shared: string): string[] =>
  [...shared.matchAll(/<(?:\w+:)?si\b[^>]*?(?:\/>|>([\s\S]*?)<\/(?:\w+:)?si>)/g)].map(([, inside = '']) =>
    textOf(inside),
  );

/** Text of a shared string with all its runs, without phonetic hints. */
const textOf = (inside: string): string =>
  [
    ...inside
      .replace(/<(?:\w+:)?rPh\b[\s\S]*?<\/(?:\w+:)?rPh>/g, '')
      .matchAll(/<(?:\w+:)?t\b[^>]*?(?:\/>|>([\s\S]*?)<\/(?:\w+:)?t>)/g),
  ]
    .map(([, text = '']) => unescaped(text))
    .join('');

function columnOf(place: string): number | undefined {
  const letters = /^[A-Z]{1,3}/.exec(place)?.[0];
  return letters === undefined
    ? undefined
    : [...letters].reduce((sum, letter) => sum * 26 + letter.charCodeAt(0) - 64, 0) - 1;
}

function attribute(given: string, name: string): string {
  const found = new RegExp(`(?:^|\\s)${name}\\s*=\\s*(?:"([^"]*)"|'([^']*)')`).exec(given);
  return unescaped(found?.[1] ?? found?.[2] ?? '');
}

const NAMED: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };

/** Decodes XML entities and `_x000D_` escapes of control characters. */
const unescaped = (text: string): string =>
  text
    .replace(/\r\n?/g, '\n')
    .replace(/&(?:#(\d{1,7})|#x([0-9a-f]{1,6})|(\w{2,4}));/gi, (all, decimal?: string, hex?: string, name?: string) =>
      name ? (NAMED[name] ?? all) : fromCode(decimal ? Number(decimal) : parseInt(hex!, 16), all),
    )
    .replace(/_x([0-9A-Fa-f]{4})_/g, (_, hex: string) => String.fromCharCode(parseInt(hex, 16)));

const fromCode = (code: number, all: string): string => (code <= 0x10ffff ? String.fromCodePoint(code) : all);

/** XML without comments, and with literal sections as escaped text: programs other than Excel write them. */
const plainXml = (xml: string): string =>
  xml.includes('<!')
    ? xml
        .replace(/<!--[\s\S]*?-->/g, '')
        .replace(/<!\[CDATA\[([\s\S]*?)\]\]>/g, (_, text: string) =>
          text.replaceAll('&', '&amp;').replaceAll('<', '&lt;'),
        )
    : xml;
