import { equal, test } from '../../base/testing';
import { codeOnly, codeProblems } from './codeProblems';

const INPUTS = { order: { total: 42, lines: [1] }, name: 'Ada' };
const found = (text: string, language: 'typescript' | 'python', inputs: Record<string, unknown> = INPUTS): string[] =>
  codeProblems(text, language, inputs).map(({ from, to, severity }) => `${severity} ${text.slice(from, to)}`);

test('an input that the sample does not have is marked, in any depth', () => {
  const code =
    'export const code = async (inputs: any) => {\n  return [inputs.nam, inputs.order?.totl, inputs.order.lines.map((x) => x), inputs.name.length];\n};';
  equal(found(code, 'typescript'), ['warning nam', 'warning totl']);
  equal(found('export async function code(given) { return given.total + other.inputs.x; }', 'typescript'), [
    'warning total',
  ]);
});

test('comments, strings and methods are no inputs', () => {
  equal(
    found(
      'export const code = async (inputs) => {\n  // inputs.a\n  return "inputs.b" + `${inputs.c}` + inputs.toString();\n};',
      'typescript',
    ),
    [],
  );
  equal(codeOnly("a 'b' // c\nd", 'typescript'), 'a         \nd');
});

test('without samples nothing is known about inputs', () => {
  equal(found('export const code = async (inputs) => inputs.anything;', 'typescript', {}), []);
});

test('code without its function is an error', () => {
  equal(found('const other = 1;\nconst more = 2;', 'typescript'), ['error const other = 1;']);
  equal(found('export { run as code };\nexport const x = 1;', 'typescript'), []);
  equal(found('def other(inputs):\n    return 1', 'python'), ['error def other(inputs):']);
});

test('Python: inputs by key, and brackets', () => {
  equal(found('def code(inputs):\n    return inputs["order"]["totl"] + inputs[\'name\']  # inputs["x"]', 'python'), [
    'warning totl',
  ]);
  equal(found('def code(inputs):\n    return [1, (2, 3]', 'python'), ['error ]']);
  equal(found('def code(inputs):\n    print("(", {"a": 1}\n    return 1', 'python'), ['error (']);
  equal(found('def code(inputs):\n    """Text with ( and "quotes"."""\n    return {"done": True}\n', 'python'), []);
});
