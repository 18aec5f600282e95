// Three releases of the MCP SDK: from registering to the end of a grant. The newest one speaks without a handshake too.
import assert from 'node:assert/strict';
import { administrator, call, callback, consent, run, url } from './millrace.mjs';

const releases = ['mcp-newest', 'mcp-before', 'mcp-older'];
const withoutHandshake = { versionNegotiation: { mode: { pin: '2026-07-28' } } };
const eitherWay = { versionNegotiation: { mode: 'auto' } };
const methods = ['none', 'client_secret_basic', 'client_secret_post'];
const session = await administrator();

/** What the SDK asks of a program: to keep things, and to open a browser. */
function keeper(method) {
  return {
    redirectUrl: callback,
    clientMetadata: {
      client_name: 'Interop', redirect_uris: [callback], grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'], token_endpoint_auth_method: method, scope: 'mcp',
    },
    state: () => 'a state with & and ü',
    clientInformation() { return this.client; },
    saveClientInformation(client) { this.client = client; },
    tokens() { return this.kept; },
    saveTokens(tokens) { this.kept = tokens; },
    saveCodeVerifier(verifier) { this.verifier = verifier; },
    codeVerifier() { return this.verifier; },
    saveDiscoveryState(found) { this.found = found; },
    discoveryState() { return this.found; },
    invalidateCredentials(which) {
      if (which === 'tokens' || which === 'all') {
        this.kept = undefined;
      }
    },
    redirectToAuthorization(address) { this.address = address; },
  };
}

/** The parts of a release: the newest one is a package of its own. */
async function load(release) {
  if (release === 'mcp-newest') {
    return import(release);
  }
  const { Client } = await import(release + '/client/index.js');
  const { StreamableHTTPClientTransport } = await import(release + '/client/streamableHttp.js');
  return { Client, StreamableHTTPClientTransport };
}

/** Runs through a grant; answers which revision was agreed upon, as far as the release tells. */
async function grantFromFirstToLast(release, method, path, options = {}) {
  const { Client, StreamableHTTPClientTransport } = await load(release);
  const provider = keeper(method);
  const client = () => new Client({ name: 'interop', version: '1.0.0' }, options);
  const transport = () => new StreamableHTTPClientTransport(new URL(url + path), { authProvider: provider });

  // Nobody is let in without a token; the SDK registers and asks for consent by itself
  const first = transport();
  await assert.rejects(client().connect(first), /Unauthorized/);
  assert.equal(Boolean(provider.client.client_secret), method !== 'none');
  const back = await consent(provider.address, session);
  assert.equal(back.searchParams.get('state'), 'a state with & and ü');
  await first.finishAuth(release === 'mcp-newest' ? back.searchParams : back.searchParams.get('code'));

  // Tools; who consented to one project has none to choose
  const inside = client();
  await inside.connect(transport());
  const names = (await inside.listTools()).tools.map((tool) => tool.name);
  assert.equal(names.includes('ap_set_project_context'), !path.includes(session.projectId));
  if (names.includes('ap_set_project_context')) {
    await use(inside, 'ap_set_project_context', { projectId: session.projectId });
  }
  await use(inside, 'ap_list_flows', {});
  const revision = inside.getNegotiatedProtocolVersion?.();
  if (revision !== '2026-07-28') {
    await inside.ping();
  }
  await inside.close();

  // A token that is good no longer is renewed on the way
  const { refresh_token } = provider.kept;
  provider.kept = { ...provider.kept, access_token: 'it.has.expired' };
  const later = client();
  await later.connect(transport());
  assert.ok((await later.listTools()).tools.length > 0);
  assert.notEqual(provider.kept.access_token, 'it.has.expired');
  await later.close();

  // What is revoked opens nothing
  const { client_id, client_secret } = provider.client;
  const revoked = await call('POST', '/revoke', { token: refresh_token, client_id, client_secret });
  assert.equal(revoked.status, 200, revoked.text);
  provider.address = null;
  await assert.rejects(client().connect(transport()));
  return revision;
}

async function use(client, name, args) {
  const answer = await client.callTool({ name, arguments: args });
  assert.ok(!answer.isError, JSON.stringify(answer));
}

const parts = {};
for (const release of releases) {
  for (const method of methods) {
    parts[`${release}, ${method}`] = () => grantFromFirstToLast(release, method, '/mcp');
  }
}
for (const [name, options, revision] of [['pinned', withoutHandshake, '2026-07-28'],
  ['negotiated', eitherWay, '2026-07-28'], ['with a handshake', {}, '2025-11-25']]) {
  parts[`mcp-newest, ${revision} ${name}`] = async () =>
    assert.equal(await grantFromFirstToLast('mcp-newest', 'none', '/mcp', options), revision);
}
parts['mcp-newest at the platform'] = () => grantFromFirstToLast('mcp-newest', 'none', '/mcp/platform', eitherWay);
parts['mcp-newest at a project'] = () =>
  grantFromFirstToLast('mcp-newest', 'none', `/api/v1/mcp/${session.projectId}/http`, eitherWay);
await run(parts);
