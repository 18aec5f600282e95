import { typescriptLanguage } from '@codemirror/lang-javascript';
import { equal, test } from '../../base/testing';
import { nameProblems } from './codeNames';

const found = (text: string): string[] =>
  nameProblems(text, typescriptLanguage.parser.parse(text).topNode).map(
    ({ from, to, severity }) => `${severity} ${text.slice(from, to)}`,
  );
const inCode = (body: string): string[] => found(`export const code = async (inputs) => {\n${body}\n};`);

test('names without a definition are errors', () => {
  equal(inCode('  const total = inputs.a + tota;\n  return totl;'), ['error tota', 'error totl']);
  equal(inCode('  count = 1;\n  return typeof window;'), ['error count']);
});

test('definitions of every kind count, and names of the language', () => {
  equal(
    found(`import axios, { get as read } from 'axios';
import * as path from 'path';
enum Color { Red }
type Row = { a: number };
class Cart<T> { items: T[] = []; add(item: T) { this.items.push(item); return Color.Red; } }
function twice([a, { b = 1, ...rest }]: Row[], ...more: number[]) { return [a, b, rest, more, arguments]; }
export const code = async ({ order, lines: [first] }: any) => {
  try { for (const line of order) { label: for (;;) { break label; } } } catch (problem) { console.log(problem, undefined); }
  const { x, y: z } = first as Row, key = 'a';
  return { x, z, [key]: new Cart<Row>(), t: twice, u: Object.entries(JSON.parse('{}')).map(([name, value]) => name + value), r: read, p: path, q: axios, b: Buffer.from(\`\${z}\`) };
};`),
    [],
  );
});

test('a promise that is used as a value needs await', () => {
  equal(inCode('  const answer = fetch(inputs.url);\n  return answer.status;'), ['warning fetch']);
  equal(inCode('  fetch(inputs.url);\n  return fetch(inputs.url).status + 1;'), ['warning fetch', 'warning fetch']);
  equal(
    found('async function load() { return 1; }\nexport const code = async () => { const n = load(); return n + 1; };'),
    ['warning load'],
  );
  equal(
    inCode(
      '  const one = fetch(inputs.a), two = fetch(inputs.b);\n  const all = await Promise.all([one, two]);\n  const three = fetch("c");\n  await three;\n  return (await fetch("d")).json() ?? fetch("e").then((f) => f);',
    ),
    [],
  );
  equal(inCode('  return fetch(inputs.url);'), []);
});

test('a function without a result is marked', () => {
  equal(inCode('  console.log([1].map((one) => { return one; }));'), ['warning async (inputs) => ']);
  equal(found('export async function code(inputs) { throw new Error("no"); }'), []);
  equal(found('export const code = (inputs) => inputs.a;'), []);
});
