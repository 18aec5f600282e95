/** Texts in rows and columns, as spreadsheets write them: with tabs into the clipboard, with commas into files. */
export type Cells = string[][];

/** Reads texts that are separated by a character; one that holds it, a quote or a line break stands in quotes. */
export function read(text: string, separator: string): Cells {
  const rows: Cells = [];
  let row: string[] = [];
  let at = 0;
  const end = text.length;
  while (at < end) {
    let cell: string;
    if (text[at] === '"') {
      [cell, at] = quoted(text, at + 1);
    } else {
      const from = at;
      while (at < end && text[at] !== separator && text[at] !== '\n' && text[at] !== '\r') {
        at++;
      }
      cell = text.slice(from, at);
    }
    row.push(cell);
    if (text[at] === separator) {
      at++;
      if (at === end) {
        row.push('');
      }
      continue;
    }
    at += text[at] === '\r' && text[at + 1] === '\n' ? 2 : 1;
    rows.push(row);
    row = [];
  }
  if (row.length > 0) {
    rows.push(row);
  }
  return rows;
}

/** The text within quotes, and where it goes on behind them. What follows a closing quote at once belongs to the text. */
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

export function write(rows: Cells, separator: string): string {
  const special = separator === '\t' ? /["\t\n\r]/ : /[",;\n\r]/;
  return rows.map((row) => row.map((cell) => (special.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell)).join(separator)).join('\r\n');
}

/** Reads a file: separated by the sign that its first line has most of, comma, semicolon or tab. */
export function readFile(text: string): Cells {
  const plain = text.replace(/^\ufeff/, '');
  const line = plain.slice(0, plain.search(/[\r\n]|$/));
  const count = (sign: string): number => line.split(sign).length;
  const separator = [',', ';', '\t'].reduce((best, sign) => (count(sign) > count(best) ? sign : best));
  return read(plain, separator).filter((row) => row.some((cell) => cell !== ''));
}

/**
 * What a program that opens the file would execute is written as a text, with the apostrophe that spreadsheets use for
 * that: a cell that begins like a formula and is no number.
 */
export const harmless = (cell: string): string => (/^[=+\-@\t\r]/.test(cell) && Number.isNaN(Number(cell)) ? `'${cell}` : cell);

/** The cell as it was before it was made harmless. */
export const plain = (cell: string): string => (/^'[=+\-@\t\r]/.test(cell) ? cell.slice(1) : cell);
