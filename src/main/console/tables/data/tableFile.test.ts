import { equal, holds, test } from '../../base/testing';
import type { Field } from '../model';
import { encodingOf, isUtf8 } from './encoding';
import { inflate } from './inflate';
import { matched } from './paste';
import { harmless, plain, readFile, write } from './separated';
import { distinct, tableFileOf, type Choices } from './tableFile';

const bytes = (...values: number[]): Uint8Array => new Uint8Array(values);
const ascii = (text: string): Uint8Array => Uint8Array.from(text, (letter) => letter.charCodeAt(0));

test('the encoding is the one of the mark, UTF-8 where it is valid, and Windows-1252 else', () => {
  equal(encodingOf(bytes(0xff, 0xfe, 0x41, 0)), 'utf-16le');
  equal(encodingOf(bytes(0xfe, 0xff, 0, 0x41)), 'utf-16be');
  equal(encodingOf(bytes(0x41, 0, 0x2c, 0, 0x42, 0)), 'utf-16le');
  equal(encodingOf(bytes(0, 0x41, 0, 0x2c)), 'utf-16be');
  equal(encodingOf(bytes(0xc3, 0xbc)), 'utf-8');
  equal(encodingOf(bytes(0x4d, 0xfc, 0x6c)), 'windows-1252');
  equal(encodingOf(bytes()), 'utf-8');
});

test('letters beyond ASCII are found wherever they are', () => {
  const behind = (...last: number[]): Uint8Array => Uint8Array.from([...ascii('Name;Ort\r\n'.repeat(2_000)), ...last]);
  equal(encodingOf(behind(0x4d, 0xfc, 0x6c, 0x6c)), 'windows-1252');
  equal(encodingOf(behind(0xc3, 0xbc)), 'utf-8');
});

test('invalid UTF-8 is told from valid', () => {
  equal(
    [[0xf0, 0x9f, 0x98, 0x80], [0xed, 0x9f, 0xbf], [0xf4, 0x8f, 0xbf, 0xbf], [0x7f]].map((each) =>
      isUtf8(bytes(...each)),
    ),
    [true, true, true, true],
  );
  equal(
    [[0xc0, 0x80], [0xe0, 0x80, 0x80], [0xed, 0xa0, 0x80], [0xf4, 0x90, 0x80, 0x80], [0xc3], [0x80], [0xff]].map(
      (each) => isUtf8(bytes(...each)),
    ),
    Array(7).fill(false),
  );
});

test('the separator is found outside of quotes, and a line names it', () => {
  equal(readFile('"Last, first, middle";"Sum, net"\r\n"Berg, A";"1,5"'), {
    rows: [
      ['Last, first, middle', 'Sum, net'],
      ['Berg, A', '1,5'],
    ],
    separator: ';',
  });
  equal(readFile('sep=|\na|b,c\n').rows, [['a', 'b,c']]);
  equal(readFile('SEP=;\r\na;b').separator, ';');
  equal(readFile('a|b\n1|2').separator, '|');
  equal(readFile('name\n1,5\n').separator, ',');
  equal(readFile('a;b\n1,5;2,5\n').rows, [
    ['a', 'b'],
    ['1,5', '2,5'],
  ]);
  equal(readFile('a,b\n1;2,3', ';').rows, [['a,b'], ['1', '2,3']]);
});

test('punctuation in cells is no separator, unless there is no other', () => {
  const found = (text: string): [string, number] => {
    const { rows, separator } = readFile(text);
    return [separator, rows[0]!.length];
  };
  equal(found('Last, first;City\r\nBerg, A;Ulm\r\nTal, B;Bonn'), [';', 2]);
  equal(found('Last, first, title;City\nBerg, A, Dr.;Ulm'), [';', 2]);
  equal(found('Note: a, b|Sum\nc, d|1'), ['|', 2]);
  equal(found('Last, first\tCity\nBerg, A\tUlm'), ['\t', 2]);
  equal(found('a, b, c\n1, 2, 3'), [',', 3]);
  equal(found('a; b\n1; 2'), [';', 2]);
  equal(found('a,b;c\n1,2;3'), [',', 2]);
  equal(found('"Last, first" ; "City"\n"Berg, A" ; "Ulm"'), [';', 2]);
  equal(found('name;price\nA;1,50\nB;2,75'), [';', 2]);
});

test('text after a closing quote belongs to the cell', () => {
  equal(readFile('"a"b,c\nd,e').rows, [
    ['ab', 'c'],
    ['d', 'e'],
  ]);
});

test('rows of empty cells are written so that they are read again, and blank lines are none', () => {
  equal(
    readFile(
      write(
        [
          ['a', 'b'],
          ['', ''],
          ['c', ''],
        ],
        ',',
      ),
    ).rows,
    [
      ['a', 'b'],
      ['', ''],
      ['c', ''],
    ],
  );
  equal(readFile(write([['a'], [''], ['b']], ',')).rows, [['a'], [''], ['b']]);
  equal(readFile('a,b\n\n,\n1,2\n').rows, [
    ['a', 'b'],
    ['1', '2'],
  ]);
  equal(
    readFile(
      write(
        [
          ['sep=;', 'x'],
          ['1', '2'],
        ],
        ',',
      ),
    ).rows,
    [
      ['sep=;', 'x'],
      ['1', '2'],
    ],
  );
});

test('a cell is the same after it was made harmless, apostrophes too', () => {
  const cells = ['=1', "'=1", "''=1", "'", "'tis", '-5', "'-5", '+', '-', '\t', ' =1', ''];
  equal(cells.map(harmless).map(plain), cells);
  holds(
    cells.map(harmless).every((cell) => !/^[=+\-@]/.test(cell) || Number.isFinite(Number(cell))),
    'nothing is executed',
  );
});

test('columns without a name and of the same name are numbered', () => {
  equal(distinct(['Note', '', 'Note', 'Note_2', 'Note', ' Note ']), [
    'Note',
    '2',
    'Note_3',
    'Note_2',
    'Note_4',
    'Note_5',
  ]);
});

test('columns of the same name go into fields of the same name, each once', () => {
  const field = (id: string, name: string): Field => ({
    id,
    name,
    type: 'TEXT',
    externalId: id,
    tableId: 't',
    projectId: 'p',
    created: '',
    updated: '',
  });
  const fields = [field('f1', 'Note'), field('f2', 'note'), field('f3', 'Sum_2')];
  equal(
    matched(['Note', 'Note_2', 'Note_3', 'Sum_2', 'Sum'], fields).map((each) => each?.id ?? ''),
    ['f1', 'f2', '', 'f3', ''],
  );
});

test('fixed and stored blocks are unpacked up to the limit', () => {
  equal([...inflate(bytes(0x4b, 0x4c, 0x4a, 0x06, 0x00), 3, 10)], [0x61, 0x62, 0x63]);
  equal([...inflate(bytes(0x01, 0x02, 0x00, 0xfd, 0xff, 0x61, 0x62), 2, 10)], [0x61, 0x62]);
  let refused = 0;
  for (const [data, max] of [
    [bytes(0x4b, 0x4c, 0x4a, 0x06, 0x00), 2],
    [bytes(0x4b), 10],
    [bytes(0x07), 10],
    [bytes(0x01, 0x05, 0x00, 0xfa, 0xff, 0x61), 10],
  ] as const) {
    try {
      inflate(data, 3, max);
    } catch {
      refused++;
    }
  }
  equal(refused, 4);
});

/** Entry point of TableFileTest with generated files. Bytes are passed as Latin-1 text. */
Object.assign(globalThis, {
  tableFile: (latin: string, choices: string) =>
    JSON.stringify(tableFileOf(ascii(latin), JSON.parse(choices) as Choices) ?? null),
  tableText: (rows: string) =>
    write(
      (JSON.parse(rows) as string[][]).map((row) => row.map(harmless)),
      ',',
    ),
});
