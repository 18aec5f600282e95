import { equal, holds, test } from './testing';
import { accentOn, contrast, readable } from './color';
import { keepsDigits, keepsNumbers } from './digits';
import { keepsIntegers, parseJson } from './json';
import { handles } from './keymap';
import { match } from './routing';
import { found } from './search';
import { count, t } from './text';
import { ago, duration } from './time';

const press = (key: string, more: Partial<{ ctrl: boolean; alt: boolean; shift: boolean }> = {}) => ({
  key,
  ctrl: false,
  alt: false,
  shift: false,
  ...more,
});

test('the first matching pattern wins, and its parameters are filled', () => {
  const routes = [{ pattern: '/projects/:projectId/flows' }, { pattern: '/projects/:projectId/flows/:flowId' }];
  equal(match(routes, '/projects/p1/flows/f1/')?.params, { projectId: 'p1', flowId: 'f1' });
  equal(match(routes, '/projects/p1'), undefined);
});

test('keys are distinguished by their modifiers, and as sequences of two', () => {
  equal(handles('Ctrl+k', '', press('k', { ctrl: true })), 'yes');
  equal(handles('Ctrl+k', '', press('k')), 'no');
  equal(handles('?', '', press('?', { shift: true })), 'yes');
  equal(handles('g f', '', press('g')), 'begins');
  equal(handles('g f', 'g', press('f')), 'yes');
  equal(handles('f', 'g', press('f')), 'no');
});

test('matches at the beginning of words rank first', () => {
  equal(
    found(['Unpublished', 'Publish the flow', 'Flow: publish'], 'pub', (text) => text),
    ['Publish the flow', 'Flow: publish', 'Unpublished'],
  );
  equal(
    found(['Runs', 'Flows'], 'zzz', (text) => text),
    [],
  );
});

test('a colour with too little contrast is made readable', () => {
  for (const [color, ground] of [
    ['#ffee00', '#ffffff'],
    ['#0b1e3a', '#1e1c1a'],
    ['#2f6f5e', '#ffffff'],
  ] as const) {
    holds(contrast(readable(color, ground), ground) >= 4.5, `${color} on ${ground}`);
  }
  equal(readable('#000000', '#ffffff'), '#000000');
  for (const [color, ground] of [
    ['#8a1c5e', '#1e1c1a'],
    ['#ffe600', '#ffffff'],
    ['#2f6f5e', '#ffffff'],
  ] as const) {
    const { accent, soft } = accentOn(color, ground);
    holds(contrast(accent, soft) >= 4.5 && contrast(accent, ground) >= 4.5, `${color} on ${ground}`);
  }
});

test('texts have their parameters and plural forms', () => {
  equal(t('error.requestId', { id: 'req_1' }), 'Request req_1');
  equal([count('flows.steps', 1), count('flows.steps', 3)], ['1 step', '3 steps']);
});

test('durations have one or two units', () => {
  equal([0.44, 950, 1_500, 61_000, 7_300_000].map(duration), ['0.4 ms', '950 ms', '1.5 s', '1 min 1 s', '2 h 1 min']);
});

test('times are relative to now, in one unit', () => {
  const now = Date.parse('2026-03-09T12:00:00.000Z');
  equal(ago('2026-03-09T11:59:30.000Z', now), 'just now');
  equal(ago(null, now), 'never');
});

test('numbers that a double rounds are found outside of strings', () => {
  equal(
    [
      '{"id": 8202522731445525542}',
      '[-9007199254740993]',
      '0.12345678901234567890',
      '12345678901234567e3',
      '1e400',
      `${'9'.repeat(400)}`,
    ].map(keepsDigits),
    Array(6).fill(false),
  );
  equal(
    [
      '{"id": "8202522731445525542", "n": 9007199254740992}',
      '"\\"8202522731445525542"',
      '-1.50',
      '1e5',
      '0.30000000000000',
      '{{a}}',
      '',
    ].map(keepsDigits),
    Array(7).fill(true),
  );
});

test('integers beyond 53 bits keep their digits from one JSON text to the next', () => {
  for (const text of [
    '{"id":8202522731445525542,"n":[1,-9007199254740993],"s":"12345678901234567890"}',
    '[9007199254740992,1.5,12345678901234567890123]',
  ]) {
    equal(keepsIntegers ? JSON.stringify(parseJson(text)) : text, text);
  }
  equal(typeof (parseJson('{"id":9007199254740992}') as { id: unknown }).id, 'number');
  equal(['{"id":8202522731445525542}', '0.12345678901234567890'].map(keepsNumbers), [keepsIntegers, false]);
});
