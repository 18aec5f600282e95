// The conformance suite of MCP, against the server of a project. The suite sends no token: a proxy adds it.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { createServer, request } from 'node:http';
import { administrator, call, url } from './millrace.mjs';

const MINUTES_MAX = 4;
const session = await administrator();
const { json: server } = await call('GET', `/api/v1/mcp/${session.projectId}`, undefined, session.token);
const target = new URL(`${url}/api/v1/mcp/${session.projectId}/http`);

/** Passes a request on with the token of the project; host and origin stay, since the suite forges them. */
const proxy = createServer((incoming, outgoing) => {
  const headers = { ...incoming.headers, authorization: `Bearer ${server.token}` };
  const onward = request(
    { host: target.hostname, port: target.port, path: target.pathname, method: incoming.method, headers },
    (answer) => {
      outgoing.writeHead(answer.statusCode, answer.headers);
      answer.pipe(outgoing);
    });
  onward.on('error', () => outgoing.destroy());
  outgoing.on('close', () => onward.destroy());
  incoming.pipe(onward);
});
await new Promise((ready) => proxy.listen(0, '127.0.0.1', ready));

/** The suite imports a function that Node.js 20 lacks; the scenarios for servers do not call it. */
const suite = 'node_modules/conformance/dist/index.js';
const patched = 'node_modules/conformance/dist/patched.js';
writeFileSync(patched, readFileSync(suite, 'utf8').replace(/globSync as (\w+),/, '')
  .replace(/^(import)/m, (_, word) => `const ${readFileSync(suite, 'utf8').match(/globSync as (\w+),/)[1]}=()=>[];\n${word}`));

const program = spawn(process.execPath, [patched, 'server', '--url', `http://127.0.0.1:${proxy.address().port}/mcp`,
  '--suite', 'all', '--expected-failures', 'conformance-expected.yml'], { stdio: 'inherit', timeout: MINUTES_MAX * 60_000 });
const status = await new Promise((ended) => program.on('close', ended));
proxy.close();
proxy.closeAllConnections();
assert.equal(status, 0, 'a scenario ended differently than conformance-expected.yml says');
console.log('conformance: all scenarios ended as expected');
