// Our workflows in n8n and, imported, in Millrace: both receive the same requests and call the same stand-in, and their answers
// are compared. N8N_CASES is the folder of the workflows; with N8N_RECORD=yes the answers of n8n are written into their files.
import assert from 'node:assert/strict';
import { execFileSync, spawn } from 'node:child_process';
import { createWriteStream, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import { administrator, call } from './millrace.mjs';
import { standIn } from './stand-in.mjs';

const START_MS_MAX = 240_000;
const cases = process.env.N8N_CASES;
const home = join(process.cwd(), 'home');

async function listen(server) {
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  return server.address().port;
}

async function freePort() {
  const server = createServer();
  const port = await listen(server);
  await new Promise((resolve) => server.close(resolve));
  return port;
}

function read(address) {
  return readdirSync(cases).filter((file) => file.endsWith('.json')).sort().map((file) => {
    const text = readFileSync(join(cases, file), 'utf8');
    return { file, text, ...JSON.parse(text.replaceAll('http://stand-in', address)) };
  });
}

async function answerOf(address, { query, body }) {
  const answer = await fetch(address + query, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
  });
  const text = await answer.text();
  const isJson = answer.headers.get('content-type')?.includes('json') && text;
  return { status: answer.status, body: isJson ? JSON.parse(text) : text };
}

function command(environment, ...parameters) {
  execFileSync('node_modules/.bin/n8n', parameters, { env: environment, stdio: ['ignore', 'ignore', 'inherit'] });
}

async function startN8n(samples) {
  rmSync(home, { recursive: true, force: true });
  mkdirSync(join(home, 'workflows'), { recursive: true });
  const port = await freePort();
  const environment = {
    ...process.env, N8N_USER_FOLDER: home, N8N_PORT: String(port), N8N_LISTEN_ADDRESS: '127.0.0.1', GENERIC_TIMEZONE: 'UTC',
    N8N_DIAGNOSTICS_ENABLED: 'false', N8N_VERSION_NOTIFICATIONS_ENABLED: 'false', N8N_TEMPLATES_ENABLED: 'false',
    N8N_RUNNERS_ENABLED: 'false', N8N_PERSONALIZATION_ENABLED: 'false', N8N_BLOCK_ENV_ACCESS_IN_NODE: 'true',
    // Without its native build, n8n evaluates expressions in its own process.
    N8N_EXPRESSION_ENGINE: 'legacy', N8N_RUNNERS_BROKER_PORT: String(await freePort()),
  };
  for (const { file, workflow } of samples) {
    writeFileSync(join(home, 'workflows', file), JSON.stringify({ ...workflow, active: true }));
  }
  command(environment, 'import:workflow', '--separate', '--input=' + join(home, 'workflows'));
  command(environment, 'update:workflow', '--all', '--active=true');
  const log = createWriteStream(join(home, 'n8n.log'));
  const n8nProcess = spawn('node_modules/.bin/n8n', ['start'], { env: environment, stdio: ['ignore', 'pipe', 'pipe'] });
  n8nProcess.stdout.pipe(log);
  n8nProcess.stderr.pipe(log);
  const address = `http://127.0.0.1:${port}/webhook/`;
  const until = Date.now() + START_MS_MAX;
  // n8n activates workflows one after another; it answers 404 for the others.
  for (const { workflow, cases: [first] } of samples) {
    const isActive = () => answerOf(address + workflow.nodes[0].parameters.path, first).then(({ status }) => status < 404, () => false);
    while (!await isActive()) {
      assert.ok(Date.now() < until && n8nProcess.exitCode === null, 'n8n does not answer: see ' + join(home, 'n8n.log'));
      await pause(500);
    }
  }
  return { address, stop: () => n8nProcess.kill('SIGKILL') };
}

async function imported(samples) {
  const session = await administrator();
  const answer = await call('POST', '/api/v1/flows/import/n8n',
    { projectId: session.projectId, workflows: samples.map((sample) => sample.workflow) }, session.token);
  assert.equal(answer.status, 200, answer.text);
  const addresses = [];
  for (const flow of answer.json.flows) {
    assert.ok(flow.valid, JSON.stringify(flow));
    const published = await call('POST', '/api/v1/flows/' + flow.id, { type: 'LOCK_AND_PUBLISH', request: {} }, session.token);
    assert.equal(published.status, 200, published.text);
    addresses.push(`${process.env.MILLRACE_URL}/api/v1/webhooks/${flow.id}/sync`);
  }
  return addresses;
}

const server = createServer(standIn);
const samples = read('http://127.0.0.1:' + await listen(server));
const addresses = await imported(samples);
const n8n = await startN8n(samples);
let equal = 0;
try {
  for (const [index, sample] of samples.entries()) {
    const recorded = JSON.parse(sample.text);
    const differences = [];
    for (const [number, request] of sample.cases.entries()) {
      const theirs = await answerOf(n8n.address + sample.workflow.nodes[0].parameters.path, request);
      const ours = await answerOf(addresses[index], request);
      recorded.cases[number].expected = theirs;
      if (!isDeepStrictEqual(ours, theirs)) {
        differences.push(`    n8n ${JSON.stringify(theirs)}\n    we  ${JSON.stringify(ours)}`);
      }
    }
    equal += differences.length === 0 ? 1 : 0;
    console.log((differences.length === 0 ? '  ok  ' : '  --  ') + sample.file);
    differences.forEach((text) => console.log(text));
    if (process.env.N8N_RECORD === 'yes') {
      writeFileSync(join(cases, sample.file), JSON.stringify(recorded, null, 2) + '\n');
    }
  }
} finally {
  n8n.stop();
  server.close();
}
console.log(`n8n: ${equal} of ${samples.length} workflows give equal answers`);
process.exit(equal === samples.length ? 0 : 1);
