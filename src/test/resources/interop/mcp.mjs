// The MCP SDK, its newest release and an older one: from registering to the end of a grant.
import assert from 'node:assert/strict';
import { administrator, call, callback, consent, run, url } from './millrace.mjs';

const releases = ['mcp-newest', 'mcp-older'];
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
    redirectToAuthorization(address) { this.address = address; },
  };
}

async function grantFromFirstToLast(release, method, path) {
  const { Client } = await import(release + '/client/index.js');
  const { StreamableHTTPClientTransport } = await import(release + '/client/streamableHttp.js');
  const provider = keeper(method);
  const transport = () => new StreamableHTTPClientTransport(new URL(url + path), { authProvider: provider });

  // Nobody is let in without a token; the SDK registers and asks for consent by itself
  const first = transport();
  await assert.rejects(new Client({ name: 'interop', version: '1.0.0' }).connect(first), /Unauthorized/);
  assert.equal(Boolean(provider.client.client_secret), method !== 'none');
  const back = await consent(provider.address, session);
  assert.equal(back.searchParams.get('state'), 'a state with & and ü');
  await first.finishAuth(back.searchParams.get('code'));

  // Tools
  const client = new Client({ name: 'interop', version: '1.0.0' });
  await client.connect(transport());
  const { tools } = await client.listTools();
  assert.ok(tools.some((tool) => tool.name === 'ap_list_flows'));
  for (const [name, args] of [['ap_set_project_context', { projectId: session.projectId }], ['ap_list_flows', {}]]) {
    const answer = await client.callTool({ name, arguments: args });
    assert.ok(!answer.isError, JSON.stringify(answer));
  }
  await client.ping();
  await client.close();

  // A token that is good no longer is renewed on the way
  const { refresh_token } = provider.kept;
  provider.kept = { ...provider.kept, access_token: 'it.has.expired' };
  const later = new Client({ name: 'interop', version: '1.0.0' });
  await later.connect(transport());
  assert.ok((await later.listTools()).tools.length > 0);
  assert.notEqual(provider.kept.access_token, 'it.has.expired');
  await later.close();

  // What is revoked opens nothing
  const { client_id, client_secret } = provider.client;
  const revoked = await call('POST', '/revoke', { token: refresh_token, client_id, client_secret });
  assert.equal(revoked.status, 200, revoked.text);
  provider.address = null;
  await assert.rejects(new Client({ name: 'interop', version: '1.0.0' }).connect(transport()));
}

const parts = {};
for (const release of releases) {
  for (const method of methods) {
    parts[`${release}, ${method}`] = () => grantFromFirstToLast(release, method, '/mcp');
  }
}
parts['mcp-newest at the platform'] = () => grantFromFirstToLast('mcp-newest', 'none', '/mcp/platform');
parts['mcp-newest at a project'] = () =>
  grantFromFirstToLast('mcp-newest', 'none', `/api/v1/mcp/${session.projectId}/http`);
await run(parts);
