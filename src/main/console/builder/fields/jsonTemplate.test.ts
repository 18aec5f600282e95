import { equal, test } from '../../base/testing';
import { isInString, jsonProblem, tokenInJson } from './jsonTemplate';

const TOTAL = "{{step_1['output']['total']}}";

test('JSON with references is valid where the references stand for values or for parts of strings', () => {
  for (const text of [
    '',
    ' {"a": 1}',
    `{"a": "${TOTAL}"}`,
    `{"a": ${TOTAL}}`,
    `[${TOTAL}, "x ${TOTAL} y"]`,
    TOTAL,
    '{"a":{"b":[]}}',
    '-1.5e3',
    '"\\u00e9\\n"',
    '{"a": "ap-formula-v1::{uppercase(\\"x\\")}::ap-formula-v1"}',
  ]) {
    equal(jsonProblem(text), undefined, text);
  }
});

test('an error names its line and what was expected', () => {
  equal(jsonProblem('{"a": 1,\n "b": }'), { at: 15, line: 2, reason: 'expected a value, found “}”' });
  equal(jsonProblem('{"a": 1'), { at: 7, line: 1, reason: 'expected a comma or }, found the end' });
  equal(jsonProblem('{a: 1}')?.reason, 'expected a name in double quotes, found “a”');
  equal(jsonProblem('[1 2]')?.reason, 'expected a comma or ], found “2”');
  equal(jsonProblem('{"a" 1}')?.reason, 'expected a colon, found “1”');
  equal(jsonProblem('"open')?.reason, 'expected a closed string without line breaks, found “"”');
  equal(jsonProblem('[1,]')?.reason, 'expected a value, found “]”');
  equal(jsonProblem('{} x')?.reason, 'expected the end of the text, found “x”');
  equal(jsonProblem('01')?.at, 0);
  equal(jsonProblem('tru')?.at, 0);
  equal(jsonProblem('['.repeat(150))?.reason, 'nested more than 100 levels deep');
});

test('what is accepted is what JSON.parse accepts, for every prefix of a document', () => {
  const whole = '{"a":[1,true,null,{"b":"c\\"d"}],"e":-2.5}';
  for (let length = 1; length <= whole.length; length++) {
    const text = whole.slice(0, length);
    let valid = true;
    try {
      JSON.parse(text);
    } catch {
      valid = false;
    }
    equal(jsonProblem(text) === undefined, valid, text);
  }
});

test('a reference is written as a string of its own, or into the string around it', () => {
  equal(
    [isInString('{"a": "'), isInString('{"a": '), isInString('"\\"'), isInString('"\\\\"')],
    [true, false, true, false],
  );
  equal(tokenInJson('{"a": ', TOTAL), `"${TOTAL}"`);
  equal(tokenInJson('{"a": "x ', TOTAL), TOTAL);
  equal(
    tokenInJson('[', 'ap-formula-v1::{trim("x")}::ap-formula-v1'),
    '"ap-formula-v1::{trim(\\"x\\")}::ap-formula-v1"',
  );
});
