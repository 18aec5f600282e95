'use strict';

/** What scripts/pieces installs and runs, the stand-in for all vendors, and the client that does both over the API. */
const fs = require('node:fs');
const http = require('node:http');
const https = require('node:https');
const path = require('node:path');

const STAND_IN = '127.0.0.5';
const NOW = new Date().toISOString();
/** Longer than any vendor's client waits before it gives up. */
const RUN_MS_MAX = 60_000;
const PREFIX = '@activepieces/piece-';

const OAUTH = { type: 'OAUTH2', access_token: 'token-of-nobody', token_type: 'Bearer', scope: '', data: {} };
const BASIC = { type: 'BASIC_AUTH', username: 'nobody', password: 'secret' };
const custom = (props) => ({ type: 'CUSTOM_AUTH', value: { type: 'CUSTOM_AUTH', props } });
const secret = { type: 'SECRET_TEXT', value: { type: 'SECRET_TEXT', secret_text: 'key-of-nobody' } };
const grant = {
  type: 'OAUTH2',
  value: { type: 'OAUTH2', client_id: 'id', client_secret: 'secret', code: 'code', redirect_url: 'http://localhost/redirect', scope: '', props: {} },
};

/**
 * A piece, its kind, an action and its input, and a connection. Pieces of the oldest kind want the value of a connection in
 * the input of each action.
 */
const PIECES = [
  ['gmail', 'mail', 'gmail_search_mail', { authentication: OAUTH, subject: 'grain' }, ['gmail.googleapis.com', 'www.googleapis.com', 'oauth2.googleapis.com']],
  ['sendgrid', 'mail', 'send_email', { authentication: 'key', to: 'a@example.com', from: 'b@example.com', subject: 's', content_type: 'text', content: 'c' }, ['api.sendgrid.com']],
  ['slack', 'chat', 'slack_list_channels', {}, ['slack.com'], custom({ botToken: 'xoxb-1', userToken: 'xoxp-1' })],
  ['discord', 'chat', 'send_message_webhook', { webhook_url: 'https://discord.com/api/webhooks/1/x', content: 'hello' }, ['discord.com']],
  ['telegram-bot', 'chat', 'send_text_message', { bot_token: '1:a', chat_id: '2', message: 'hello' }, ['api.telegram.org']],
  ['twilio', 'chat', 'send_sms', { authentication: BASIC, from: '+1', body: 'hello', to: '+2' }, ['api.twilio.com']],
  ['google-sheets', 'sheets', 'insert_row', { authentication: OAUTH, spreadsheet_id: 's', sheet_id: 0, values: ['a', 'b'] }, ['sheets.googleapis.com']],
  ['airtable', 'sheets', 'airtable_create_record', { authentication: 'key', base: 'b', tableId: 't', fields: {} }, ['api.airtable.com']],
  ['baserow', 'sheets', 'baserow_list_rows', { table_id: 1 }, ['api.baserow.io'], custom({ authType: 'database_token', apiUrl: 'https://api.baserow.io', token: 'key' })],
  ['hubspot', 'crm', 'create_contact', { authentication: OAUTH, firstName: 'Ada', lastName: 'M' }, ['api.hubapi.com']],
  ['pipedrive', 'crm', 'add_person', { authentication: { ...OAUTH, data: { api_domain: 'https://api.pipedrive.com' } }, name: 'Ada' }, ['api.pipedrive.com']],
  ['google-contacts', 'crm', 'add_contact', { authentication: OAUTH, firstName: 'Ada', lastName: 'M' }, ['people.googleapis.com']],
  ['openai', 'ai', 'ask_chatgpt', { model: 'gpt-4o', prompt: 'Say hello' }, ['api.openai.com'], custom({ apiKey: 'key', baseUrl: 'https://api.openai.com/v1' })],
  ['mistral-ai', 'ai', 'list_models', {}, ['api.mistral.ai'], secret],
  ['deepseek', 'ai', 'ask_deepseek', { model: 'deepseek-chat', prompt: 'Say hello', maxTokens: 9, responseFormat: 'text' }, ['api.deepseek.com'], secret],
  ['google-drive', 'files', 'create_new_gdrive_folder', { authentication: OAUTH, folderName: 'f' }, []],
  ['dropbox', 'files', 'create_new_dropbox_folder', { authentication: OAUTH, path: '/f' }, ['api.dropboxapi.com']],
  ['amazon-s3', 'files', 'upload-file', { file: 'data:text/plain;base64,aGVsbG8=', fileName: 'a', type: 'text/plain' }, ['s3.example.com', 'bucket.s3.example.com'], custom({ accessKeyId: 'a', secretAccessKey: 'b', bucket: 'bucket', endpoint: 'https://s3.example.com', region: 'us-east-1' })],
  ['figma', "developers' tools", 'get_file', { file_key: 'k' }, ['api.figma.com', 'www.figma.com'], grant],
  ['posthog', "developers' tools", 'create_event', { project_api_key: 'k', event: 'e', event_type: 'track', distinct_id: 'd' }, ['app.posthog.com']],
  ['notion', 'projects', 'notion_list_users', {}, ['api.notion.com'], custom({ accessToken: 'key' })],
  ['trello', 'projects', 'get_card', { authentication: BASIC, cardId: 'c' }, ['api.trello.com']],
  ['asana', 'projects', 'create_task', { authentication: OAUTH, workspace: 'w', project: 'p', name: 'n', notes: 'o' }, ['app.asana.com']],
  ['clickup', 'projects', 'get_list', { authentication: OAUTH, list_id: 'l' }, ['api.clickup.com']],
  ['todoist', 'projects', 'create_task', { content: 'Mill' }, ['api.todoist.com', 'todoist.com'], grant],
  ['shopify', 'commerce', 'get_customers', {}, ['mill.myshopify.com'], custom({ shopName: 'mill', adminToken: 'key' })],
  ['woocommerce', 'commerce', 'get_sales_report', {}, ['shop.example.com'], custom({ baseUrl: 'https://shop.example.com', consumerKey: 'k', consumerSecret: 's' })],
  ['intercom', 'support', 'list-all-tags', {}, ['api.intercom.io'], custom({ accessToken: 'key', region: 'intercom' })],
  ['freshdesk', 'support', 'get_tickets', {}, ['mill.freshdesk.com'], custom({ base_url: 'https://mill.freshdesk.com', access_token: 'key' })],
  ['mailchimp', 'marketing', 'add_member_to_list', { authentication: OAUTH, email: 'a@example.com', list_id: 'l', status: 'subscribed' }, ['login.mailchimp.com', 'us1.api.mailchimp.com']],
  ['wordpress', 'websites', 'list_tags', {}, ['blog.example.com'], custom({ username: 'u', password: 'p', website_url: 'https://blog.example.com' })],
  ['webflow', 'websites', 'list_sites', {}, ['api.webflow.com'], grant],
  ['google-calendar', 'calendar', 'create_quick_event', { authentication: OAUTH, calendar_id: 'primary', text: 'Mill' }, []],
  ['zoom', 'calendar', 'zoom_create_meeting', { authentication: OAUTH, topic: 'Mill' }, ['api.zoom.us']],
].map(([name, kind, action, input, hosts, connection]) => ({ name, kind, action, input, hosts, connection }));

/** Flows that go from one published version of a piece to another. */
const UPGRADES = [
  { name: 'figma', from: '0.2.0', to: '0.3.1', action: 'get_file', before: { authentication: OAUTH, file_key: 'k' } },
  { name: 'todoist', from: '0.2.0', to: '0.3.1', action: 'create_task', before: { authentication: OAUTH, content: 'Mill' } },
];

const EMPTY_BUCKET = '<?xml version="1.0"?><ListBucketResult><Name>bucket</Name><KeyCount>0</KeyCount><IsTruncated>false</IsTruncated></ListBucketResult>';

/** What any vendor answers: enough of the usual fields that a piece finds what it looks for. */
function answerFor(host, url) {
  if (/token|oauth/.test(url)) {
    return { access_token: 'token-of-nobody', token_type: 'Bearer', expires_in: 3600, refresh_token: 'again', dc: 'us1', api_endpoint: 'https://us1.api.mailchimp.com' };
  }
  if (url.endsWith('/models')) {
    return { object: 'list', data: [{ id: 'model-1', object: 'model' }] };
  }
  if (/wp\/v2\/(tags|posts|pages)|freshdesk|wc-/.test(host + url)) {
    return [{ id: 1, name: 'grain' }];
  }
  return {
    ok: true, id: '1', data: [], results: [], items: [], messages: [], channels: [], customers: [], tags: [], sites: [], users: [],
    tickets: [], has_more: false, total: 0, count: 0, success: true, dc: 'us1', status: 'ok', name: 'grain', gid: '1', document: {},
    choices: [{ index: 0, finish_reason: 'stop', message: { role: 'assistant', content: 'hello' } }], usage: { total_tokens: 1 },
    object: 'list', response_metadata: { next_cursor: '' }, updates: { updatedRange: "'a'!A1:B1", updatedRows: 1 },
    sheets: [{ properties: { sheetId: 0, title: 'grain' } }],
  };
}

function standIn(work) {
  const seen = [];
  const tls = { key: fs.readFileSync(path.join(work, 'key.pem')), cert: fs.readFileSync(path.join(work, 'certificate.pem')) };
  const answer = (request, response) => {
    request.resume().on('end', () => {
      seen.push({ host: request.headers.host, method: request.method, url: request.url });
      console.log(request.method, request.headers.host, request.url);
      const isStore = request.headers.host.includes('s3.');
      const body = isStore ? EMPTY_BUCKET : JSON.stringify(answerFor(request.headers.host, request.url));
      response.writeHead(200, { 'content-type': isStore ? 'application/xml' : 'application/json', 'x-wp-total': '1', 'x-wp-totalpages': '1', etag: '"1"' });
      response.end(body);
    });
  };
  https.createServer(tls, answer).listen(443, STAND_IN);
  http.createServer((request, response) => response.end(JSON.stringify(seen.splice(0)))).listen(8098, STAND_IN);
}

/** Calls of the API, which fail unless they answer 2xx. */
function client(port) {
  let token;
  const call = async (method, url, body, status) => {
    const answer = await fetch(`http://127.0.0.1:${port}/api/v1/${url}`, {
      method,
      headers: { 'content-type': 'application/json', ...(token ? { authorization: `Bearer ${token}` } : {}) },
      body: body === undefined ? undefined : JSON.stringify(body),
    });
    const text = await answer.text();
    if (!answer.ok && answer.status !== status) {
      throw new Error(`${method} ${url}: ${answer.status} ${text.slice(0, 300)}`);
    }
    return text === '' ? null : JSON.parse(text);
  };
  return {
    get: (url) => call('GET', url),
    post: (url, body) => call('POST', url, body),
    async enter(kind) {
      const account = { email: 'ada@example.com', password: 'correct horse', firstName: 'Ada', lastName: 'M', trackEvents: false, newsLetter: false };
      const session = await call('POST', `authentication/${kind}`, kind === 'sign-up' ? account : { email: account.email, password: account.password });
      token = session.token;
      return session.projectId;
    },
  };
}

const exact = (version) => version.replace(/^[~^]/, '');

/** Finds each piece by words of its own, as a person would, and installs what was found. */
async function install(work, port, wanted) {
  const api = client(port);
  await api.enter('sign-up');
  const found = {};
  const pieces = PIECES.filter(({ name }) => wanted.length === 0 || wanted.includes(name));
  for (const { name } of pieces) {
    const words = encodeURIComponent(name.replaceAll('-', ' ').replace(' bot', ''));
    const began = Date.now();
    try {
      const listed = await api.get(`pieces?searchQuery=${words}&includeInstallable=true`);
      const piece = listed.find((each) => each.name === PREFIX + name);
      if (!piece) {
        throw new Error(`a search for ${words} does not find it`);
      }
      await installed(api, piece.name, exact(piece.version));
      found[name] = exact(piece.version);
      console.log(`installed ${name} ${piece.version} in ${Date.now() - began} ms`);
    } catch (failure) {
      console.log(`NOT installed ${name}: ${failure.message}`);
      process.exitCode = 1;
    }
  }
  for (const { name, from, to } of UPGRADES.filter((each) => found[each.name])) {
    await installed(api, PREFIX + name, from);
    await installed(api, PREFIX + name, to);
  }
  fs.writeFileSync(path.join(work, 'installed.json'), JSON.stringify(found));
}

async function installed(api, pieceName, pieceVersion) {
  const here = await api.get(`pieces/${pieceName}/versions`).catch(() => []);
  if (!JSON.stringify(here).includes(`"${pieceVersion}"`) || !(await isHere(api, pieceName, pieceVersion))) {
    await api.post('pieces', { packageType: 'REGISTRY', scope: 'PLATFORM', pieceName, pieceVersion });
  }
}

async function isHere(api, name, version) {
  const piece = await api.get(`pieces/${name}?version=${version}`).catch(() => ({}));
  return piece.installed !== false && piece.version === version;
}

const flowOf = (name, version, action, input) => ({
  displayName: name,
  schemaVersion: '22',
  trigger: {
    name: 'trigger', displayName: 'Called', type: 'PIECE_TRIGGER', valid: true, lastUpdatedDate: NOW,
    settings: { pieceName: `${PREFIX}webhook`, pieceVersion: '0.1.29', triggerName: 'catch_webhook', input: { authType: 'none' }, propertySettings: {} },
    nextAction: {
      name: 'step_1', displayName: action, type: 'PIECE', valid: true, lastUpdatedDate: NOW,
      settings: { pieceName: PREFIX + name, pieceVersion: version, actionName: action, input, propertySettings: {} },
    },
  },
});

async function draft(api, projectId, name, version, action, input) {
  const { id } = await api.post('flows', { displayName: name, projectId });
  await api.post(`flows/${id}`, { type: 'IMPORT_FLOW', request: flowOf(name, version, action, input) });
  return id;
}

async function published(api, projectId, id) {
  await api.post(`flows/${id}`, { type: 'LOCK_AND_PUBLISH', request: { status: 'ENABLED' } });
  const before = (await api.get(`flow-runs?projectId=${projectId}&flowId=${id}`)).data.length;
  await api.post(`webhooks/${id}`, {});
  for (const deadline = Date.now() + RUN_MS_MAX; Date.now() < deadline; await new Promise((later) => setTimeout(later, 100))) {
    const { data } = await api.get(`flow-runs?projectId=${projectId}&flowId=${id}`);
    if (data.length > before && !['QUEUED', 'RUNNING', 'PAUSED'].includes(data[0].status)) {
      return api.get(`flow-runs/${data[0].id}`);
    }
  }
  throw new Error('the run does not end');
}

async function connect(api, projectId, { name, connection }, version) {
  await api.post('app-connections', {
    externalId: name, displayName: name, pieceName: PREFIX + name, pieceVersion: version, projectId, type: connection.type, value: connection.value,
  });
  return `{{connections['${name}']}}`;
}

async function seen() {
  const answer = await fetch(`http://${STAND_IN}:8098/`);
  return answer.json();
}

async function run(work, port) {
  const api = client(port);
  const projectId = await api.enter('sign-in');
  const found = JSON.parse(fs.readFileSync(path.join(work, 'installed.json'), 'utf8'));
  let ran = 0;
  const kinds = new Set();
  for (const piece of PIECES.filter(({ name }) => found[name])) {
    const line = await tried(api, projectId, piece, found[piece.name]);
    console.log(`${line.good ? 'ran' : 'NOT run'} ${piece.name} (${piece.kind}): ${line.text}`);
    if (line.good) {
      ran++;
      kinds.add(piece.kind);
    } else {
      process.exitCode = 1;
    }
  }
  console.log(`${ran} of ${Object.keys(found).length} pieces of ${kinds.size} kinds ran`);
  for (const upgrade of UPGRADES.filter(({ name }) => found[name])) {
    await upgraded(api, projectId, upgrade);
  }
}

async function tried(api, projectId, piece, version) {
  await seen();
  try {
    const auth = piece.connection ? { auth: await connect(api, projectId, piece, version) } : {};
    const id = await draft(api, projectId, piece.name, version, piece.action, { ...auth, ...piece.input });
    const ended = await published(api, projectId, id);
    const calls = (await seen()).map(({ method, host, url }) => `${method} ${host}${url.split('?')[0]}`);
    const step = ended.steps?.step_1 ?? {};
    const good = ended.status === 'SUCCEEDED' && calls.length > 0;
    return { good, text: good ? `${piece.action}, ${calls.at(-1)}` : `${ended.status} ${JSON.stringify(step.errorMessage ?? step.output ?? '').slice(0, 400)} after ${calls.join(', ') || 'no call'}` };
  } catch (failure) {
    return { good: false, text: failure.message };
  }
}

/** Says what changes, plans, edits the draft, and runs it once its author has done what the plan says. */
async function upgraded(api, projectId, { name, from, to, action, before }) {
  const changes = await api.get(`pieces/${PREFIX}${name}/changes?from=${from}&to=${to}`);
  const parts = [...changes.actions, ...changes.triggers].map((part) => [part.change, part.name, ...part.properties.map((property) => `${property.name} ${property.change}`)].join(' '));
  console.log(`${name} from ${from} to ${to}: ${changes.authChanged ? 'other credentials; ' : ''}${parts.join('; ')}`);
  const id = await draft(api, projectId, name, from, action, before);
  const old = await published(api, projectId, id);
  const wish = { projectId, from, to, flowIds: [id] };
  const plan = await api.post(`pieces/${PREFIX}${name}/upgrade`, { ...wish, dryRun: true });
  console.log(`  plan: ${JSON.stringify(plan.flows[0].steps)}`);
  const done = await api.post(`pieces/${PREFIX}${name}/upgrade`, { ...wish, dryRun: false });
  console.log(`  applied: ${plan.flows[0].applied} by the plan, ${done.flows[0].applied} afterwards`);
  const step = (await api.get(`flows/${id}`)).version.trigger.nextAction;
  const input = { ...step.settings.input, auth: `{{connections['${name}']}}` };
  delete input.authentication;
  const { nextAction, ...edited } = { ...step, valid: true, settings: { ...step.settings, input } };
  await api.post(`flows/${id}`, { type: 'UPDATE_ACTION', request: edited });
  const now = await published(api, projectId, id);
  console.log(`  a run of ${from}: ${old.status}; after the upgrade to ${step.settings.pieceVersion}: ${now.status}`);
  if (old.status !== 'SUCCEEDED' || now.status !== 'SUCCEEDED' || step.settings.pieceVersion !== to) {
    process.exitCode = 1;
  }
}

const [verb, work, port, ...rest] = process.argv.slice(2);
const verbs = {
  hosts: () => console.log([...new Set(PIECES.flatMap(({ hosts }) => hosts))].join('\n')),
  'stand-in': () => standIn(work),
  install: () => install(work, port, rest),
  run: () => run(work, port),
};
void verbs[verb]();
