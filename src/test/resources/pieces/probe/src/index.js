'use strict';

/** A piece without any framework: found because its class is called Piece (contract pieces 2.1). */
class Piece {
  constructor(members) {
    Object.assign(this, members);
  }
  metadata() {
    const { displayName, logoUrl, description, auth, authors, categories } = this;
    return {
      displayName, logoUrl, description, auth, authors, categories,
      actions: this._actions, triggers: this._triggers, contextInfo: this.getContextInfo(),
      minimumSupportedRelease: '0.82.0', maximumSupportedRelease: '999.999.999',
    };
  }
  actions() { return this._actions; }
  triggers() { return this._triggers; }
  getAction(name) { return this._actions[name]; }
  getTrigger(name) { return this._triggers[name]; }
  getContextInfo() { return { version: '2' }; }
}

const text = (displayName, required = false) => ({ type: 'SHORT_TEXT', displayName, required });
const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

function action(name, run, props = {}, more = {}) {
  return { name, displayName: name, description: `Does ${name}`, props, requireAuth: false, run, ...more };
}

const actions = [
  action('echo', async (context) => context.propsValue, {
    what: { type: 'JSON', displayName: 'What', required: false },
    colour: {
      type: 'STATIC_DROPDOWN', displayName: 'Colour', required: false,
      options: { options: [{ label: 'Red', value: 'r' }] },
    },
    count: { type: 'NUMBER', displayName: 'Count', required: false },
  }, { displayName: 'Echo', futureKey: { kept: true } }),
  action('whoami', async (context) => ({
    auth: context.auth, step: context.step.name, run: context.run.id, project: context.project.id,
    flow: context.flows.current, server: context.server, type: context.executionType,
  }), {}, { requireAuth: true }),
  action('print', async (context) => {
    console.log(`token is ${context.auth?.secret_text}`);
    process.stderr.write('to the error output\n');
    return 'printed';
  }, {}, { requireAuth: true }),
  action('fail', async () => { throw new TypeError('it does not fit'); }),
  action('failWithResponse', async () => {
    throw Object.assign(new Error('Request failed'), {
      response: { status: 422, data: { message: 'Name is taken' }, headers: { server: 'x' } },
      config: { url: 'https://example.com/a', method: 'post', data: '{"a":1}' },
    });
  }),
  action('heap', async () => { const kept = []; for (;;) kept.push(new Array(1000).fill(kept.length)); }),
  action('buffers', async () => { const kept = []; for (;;) { kept.push(Buffer.alloc(1 << 24, 1)); await sleep(1); } }),
  action('slow', async (context) => { await sleep(Number(context.propsValue.ms)); return 'done'; }),
  action('hold', async (context) => {
    globalThis.held = Buffer.alloc(Number(context.propsValue.bytes), 1);
    return process.pid;
  }),
  action('loop', async () => { for (;;); }),
  action('stuck', async (context) => { await context.store.put('stuck', process.pid); for (;;); }),
  action('exit', async () => process.exit(3)),
  action('late', async () => { setTimeout(() => Promise.reject(new Error('too late')), 5); return 'kept'; }),
  action('floating', async () => { Promise.reject(new Error('nobody looks')); return 'kept'; }),
  action('report', async (context) => {
    for (let done = 1; !(await context.store.get('enough', 'COLLECTION')); done++) {
      await context.output.update({ data: { done } });
      await sleep(20);
    }
    return 'reported';
  }),
  action('enough', async (context) => context.store.put('enough', true, 'COLLECTION')),
  action('flood', async () => { for (let i = 0; i < 20000; i++) console.log('x'.repeat(1000)); return 'done'; }),
  action('bigint', async () => 10n),
  action('huge', async () => 'x'.repeat(17 * 1024 * 1024)),
  action('deep', async () => { let value = 1; for (let i = 0; i < 1500; i++) value = [value]; return value; }),
  action('garbage', async () => {
    for (let i = 0; i < 5; i++) require('node:fs').writeSync(1, 'no frame\n');
    await sleep(1000);
  }),
  action('readOutside', async () => require('node:fs').readFileSync('/etc/passwd', 'utf8')),
  action('spawn', async () => require('node:child_process').execSync('id').toString()),
  action('worker', async () => new (require('node:worker_threads').Worker)('1', { eval: true })),
  action('environment', async () => Object.keys(process.env)),
  action('temporary', async () => {
    const file = require('node:path').join(require('node:os').tmpdir(), 'mine');
    require('node:fs').writeFileSync(file, 'x');
    return require('node:fs').readFileSync(file, 'utf8');
  }),
  action('fetch', async (context) => (await fetch(context.propsValue.url)).status, { url: text('URL', true) }),
  action('askServer', async (context) => (await fetch(context.server.apiUrl + context.propsValue.path, {
    headers: { authorization: `Bearer ${context.server.token}` },
  })).json(), { path: text('Path', true) }),
  action('evaluate', async (context) => {
    const body = new (async () => {}).constructor('require', 'props', context.propsValue.code);
    return body(require, context.propsValue);
  }, { code: text('Code', true) }),
  action('request', (context) => new Promise((resolve, reject) => {
    require('node:http').get(context.propsValue.url, (response) => resolve(response.statusCode)).on('error', reject);
  }), { url: text('URL', true) }),
  action('store', async (context) => {
    const before = await context.store.get('n', 'COLLECTION');
    await context.store.put('n', (before ?? 0) + 1, 'COLLECTION');
    return context.store.get('n', 'COLLECTION');
  }),
  action('badKey', async (context) => context.store.put('k'.repeat(200), 1)),
  action('write', async (context) => context.files.write({
    fileName: 'big.bin', data: Buffer.alloc(Number(context.propsValue.bytes), 7),
  }), { bytes: { type: 'NUMBER', displayName: 'Bytes', required: true } }),
  action('read', async (context) => {
    const { file } = context.propsValue;
    return { name: file.filename, extension: file.extension, length: file.data.length, start: file.base64.slice(0, 4) };
  }, { file: { type: 'FILE', displayName: 'File', required: true } }),
  action('answer', async (context) => {
    context.run.stop({ response: { status: 201, body: { hello: context.propsValue.what }, headers: { 'x-a': 'b' } } });
    return 'stopped';
  }, { what: text('What') }),
  action('tag', async (context) => { await context.tags.add({ name: 'seen' }); return 'tagged'; }),
  action('connection', async (context) => context.connections.get('other')),
  action('pause', async (context) => {
    if (context.executionType === 'RESUME') {
      return { resumed: context.resumePayload.body };
    }
    const waitpoint = await context.run.createWaitpoint({ type: 'WEBHOOK' });
    context.run.waitForWaitpoint(waitpoint.id);
    return { url: waitpoint.buildResumeUrl({ queryParams: { a: 'b' }, sync: true }) };
  }),
  action('delay', async (context) => {
    if (context.executionType === 'RESUME') {
      return 'slept';
    }
    const until = new Date(Date.now() + 1000);
    const waitpoint = await context.run.createWaitpoint({ type: 'DELAY', resumeDateTime: until.toISOString() });
    context.run.waitForWaitpoint(waitpoint.id);
    return 'sleeping';
  }),
  action('pauseAsBefore', async (context) => {
    if (context.executionType === 'RESUME') {
      return { resumed: context.resumePayload.queryParams.action };
    }
    context.run.pause({ pauseMetadata: { type: 'WEBHOOK', response: {} } });
    return { url: context.generateResumeUrl({ queryParams: { action: 'approve' } }) };
  }),
  action('delayAsBefore', async (context) => {
    if (context.executionType === 'RESUME') {
      return 'slept';
    }
    const until = new Date(Date.now() + 1000);
    context.run.pause({ pauseMetadata: { type: 'DELAY', resumeDateTime: until.toUTCString() } });
    return 'sleeping';
  }),
  action('choose', async () => 'chosen', {
    item: {
      type: 'DROPDOWN', displayName: 'Item', required: false, refreshers: ['list'],
      options: async ({ list }, { searchValue }) => {
        if (!list) {
          throw new Error('no list');
        }
        return { options: [{ label: `${list} one ${searchValue ?? ''}`, value: 1 }] };
      },
      auth: { type: 'SECRET_TEXT' },
    },
    account: {
      type: 'DROPDOWN', displayName: 'Account', required: false, refreshers: ['auth'],
      options: async ({ auth }) => ({ options: [{ label: JSON.stringify(auth ?? null), value: 1 }] }),
      auth: { type: 'SECRET_TEXT' },
    },
    fields: {
      type: 'DYNAMIC', displayName: 'Fields', required: false, refreshers: ['item'],
      props: async ({ item }) => ({ [`f${item}`]: { type: 'SHORT_TEXT', displayName: 'F', required: true } }),
    },
  }),
];

const triggers = [
  {
    name: 'poll', displayName: 'Poll', description: 'Polls', type: 'POLLING', props: {}, requireAuth: false,
    sampleData: {},
    onEnable: async (context) => {
      await context.store.put('last', 0);
      context.setSchedule({ cronExpression: '*/2 * * * *' });
    },
    onDisable: async (context) => context.store.delete('last'),
    onStart: async () => Promise.resolve(),
    run: async (context) => {
      const last = (await context.store.get('last')) ?? 0;
      await context.store.put('last', last + 1);
      return [{ n: last + 1 }];
    },
    test: async () => [{ n: 1 }, { n: 2 }],
  },
  {
    name: 'hook', displayName: 'Hook', description: 'Waits', type: 'WEBHOOK', props: {}, requireAuth: false,
    sampleData: { a: 1 },
    handshakeConfiguration: { strategy: 'QUERY_PRESENT', paramName: 'challenge' },
    renewConfiguration: { strategy: 'CRON', cronExpression: '0 0 * * *' },
    onEnable: async (context) => context.store.put('url', context.webhookUrl),
    onDisable: async () => {},
    onHandshake: async (context) => ({ status: 200, body: context.payload.queryParams.challenge }),
    onRenew: async (context) => context.store.put('renewed', true),
    onStart: async (context) => context.store.put('started', { run: context.run.id, payload: context.payload }),
    run: async (context) => [context.payload.body],
  },
  {
    name: 'notAList', displayName: 'Not a list', description: 'Wrong', type: 'MANUAL', props: {}, requireAuth: false,
    sampleData: {}, onEnable: async () => {}, onDisable: async () => {}, run: async () => ({}),
  },
];

const byName = (list) => Object.fromEntries(list.map((entry) => [entry.name, entry]));

exports.probe = new Piece({
  displayName: 'Probe',
  description: 'Tells what it was told',
  logoUrl: 'https://example.com/probe.png',
  authors: ['acme'],
  categories: ['CORE'],
  auth: {
    type: 'SECRET_TEXT', displayName: 'Key', required: true,
    validate: async ({ auth }) => (auth === 'right' ? { valid: true } : { valid: false, error: 'Wrong key' }),
  },
  events: {
    parseAndReply: ({ payload }) => ({ event: payload.body.event, identifierValue: payload.body.team }),
    verify: ({ webhookSecret, payload }) => payload.headers.signature === webhookSecret,
  },
  _actions: byName(actions),
  _triggers: byName(triggers),
});
exports.notThis = [1, 2];
