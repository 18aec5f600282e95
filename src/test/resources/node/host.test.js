'use strict';

const assert = require('node:assert');
const path = require('node:path');
const { test } = require('node:test');

const host = (name) => require(path.join(process.env.HOST_FOLDER, name));
const { lineReader, writer } = host('frames.js');
const { describeError, safeCopy } = host('errors.js');
const { authFor, actionContext } = host('contexts.js');
const { withFiles } = host('files.js');

const frame = {
  stepName: 'step_1',
  executionType: 'BEGIN',
  props: { a: 1 },
  auth: { type: 'SECRET_TEXT', secret_text: 'key' },
  runtime: { publicUrl: 'http://localhost/api/', flowRunId: 'r1' },
};

function call() {
  const asked = [];
  const ask = async (method, params) => {
    asked.push([method, params]);
    return { id: 'w1', resumeUrl: 'http://localhost/api/w1' };
  };
  return { asked, ask, hooks: { type: 'none', tags: [], listeners: [] }, pending: [] };
}

test('lines are put together from chunks, also within a character', () => {
  const lines = [];
  const read = lineReader((line) => lines.push(line));
  const bytes = Buffer.from('{"a":"ü"}\n{"b":2}\n');
  for (const byte of bytes) {
    read(Buffer.from([byte]));
  }
  assert.deepStrictEqual(lines, ['{"a":"ü"}', '{"b":2}']);
});

test('a frame is written whole, and one that is too large not at all', () => {
  const written = [];
  const write = writer((bytes) => {
    const part = bytes.subarray(0, 3);
    written.push(part.toString());
    return part.length;
  });
  write({ t: 'x' });
  assert.strictEqual(written.join(''), '{"t":"x"}\n');
  assert.throws(() => write({ t: 'x'.repeat(17 * 1024 * 1024) }), /at most/);
});

test('whatever is thrown can be told', () => {
  const circular = new RangeError('round');
  circular.response = { status: 500, data: { self: null }, headers: { a: 'b' } };
  circular.response.data.self = circular.response.data;
  assert.strictEqual(describeError(circular).name, 'RangeError');
  assert.strictEqual(describeError(circular).status, 500);
  assert.strictEqual(describeError('plain').message, 'plain');
  assert.strictEqual(describeError(undefined).message, 'Unknown error');
  assert.strictEqual(describeError(null).message, 'Unknown error');
  assert.strictEqual(describeError('').message, 'Unknown error');
  assert.strictEqual(describeError({ code: 7 }).message, '{"code":7}');
  assert.strictEqual(describeError(Object.create(null, { message: { get() { throw new Error(); } } })).class, 'USER');
  JSON.stringify(describeError(circular));
});

test('a copy for JSON is bounded', () => {
  assert.strictEqual(safeCopy('x'.repeat(20000)).length, 16000);
  assert.strictEqual(safeCopy(Buffer.alloc(5)), '<5 bytes>');
  assert.strictEqual(safeCopy(10n), '10');
  assert.deepStrictEqual(safeCopy({ f() {}, a: 1 }), { a: 1 });
});

test('older pieces get the bare value of a connection', () => {
  assert.strictEqual(authFor(0, { type: 'SECRET_TEXT', secret_text: 'key' }), 'key');
  assert.deepStrictEqual(authFor(0, { type: 'CUSTOM_AUTH', props: { a: 1 } }), { a: 1 });
  assert.deepStrictEqual(authFor(1, { type: 'CUSTOM_AUTH', props: { a: 1 } }).props, { a: 1 });
  assert.strictEqual(authFor(2, undefined), undefined);
});

test('each generation has the members it knows', () => {
  assert.strictEqual(actionContext(frame, 0, call()).serverUrl, 'http://localhost/api/');
  assert.strictEqual(actionContext(frame, 1, call()).serverUrl, undefined);
  assert.strictEqual(typeof actionContext(frame, 1, call()).run.pause, 'function');
  assert.strictEqual(actionContext(frame, 2, call()).run.pause, undefined);
  assert.strictEqual(actionContext(frame, 2, call()).generateResumeUrl, undefined);
  assert.match(
    actionContext({ ...frame, resumeUrl: 'http://localhost/resume/x' }, 0, call()).generateResumeUrl({ queryParams: { a: 'b' }, sync: true }),
    /^http:\/\/localhost\/resume\/x\/sync\?a=b$/,
  );
  assert.match(actionContext(frame, 0, call()).generateResumeUrl(), /\/flow-runs\/r1\/requests\/none$/);
});

test('a pause that is not awaited is waited for', async () => {
  const made = call();
  actionContext(frame, 0, made).run.pause({ pauseMetadata: { type: 'WEBHOOK', response: { status: 202 } } });
  await Promise.all(made.pending);
  assert.deepStrictEqual(made.asked.map(([method, { type, version }]) => [method, type, version]), [
    ['run.createWaitpoint', 'WEBHOOK', 'V0'],
  ]);
  assert.strictEqual(made.hooks.type, 'paused');
  assert.strictEqual(made.hooks.waitpointId, 'w1');
  assert.deepStrictEqual(made.hooks.responseToSend, { status: 202 });
});

test('a date of a delay may be an object', async () => {
  const made = call();
  const at = new Date('2026-01-02T03:04:05.000Z');
  await actionContext(frame, 2, made).run.createWaitpoint({ type: 'DELAY', resumeDateTime: at });
  assert.strictEqual(made.asked[0][1].resumeDateTime, '2026-01-02T03:04:05.000Z');
});

test('the last of stop, respond and wait counts', () => {
  const made = call();
  const { run } = actionContext(frame, 2, made);
  run.respond({ response: { body: 1 } });
  run.stop();
  assert.strictEqual(made.hooks.type, 'stopped');
  assert.deepStrictEqual(made.hooks.response, {});
});

test('files stand where their markers were, as streams where they are wanted so', async () => {
  const marker = () => ({ $file: { name: 'a.txt', ext: 'txt', base64: 'aGVsbG8=' } });
  const props = withFiles({ plain: marker(), many: [{ file: marker() }], flow: marker() }, ['flow']);
  assert.strictEqual(props.plain.data.toString(), 'hello');
  assert.strictEqual(props.plain.base64, 'aGVsbG8=');
  assert.strictEqual(props.many[0].file.filename, 'a.txt');
  assert.strictEqual(props.flow.size, 5);
  const chunks = [];
  for await (const chunk of props.flow.body) {
    chunks.push(chunk);
  }
  assert.strictEqual(Buffer.concat(chunks).toString(), 'hello');
});
