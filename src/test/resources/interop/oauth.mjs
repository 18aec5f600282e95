// oauth4webapi refuses whatever the RFCs do not allow; here it must accept every answer of the authorization server.
import assert from 'node:assert/strict';
import * as oauth from 'oauth4webapi';
import { administrator, callback, consent, run, url } from './millrace.mjs';

const plain = { [oauth.allowInsecureRequests]: true };
const issuer = new URL(url);
const session = await administrator();
let server;

async function discover() {
  server = await oauth.processDiscoveryResponse(
    issuer, await oauth.discoveryRequest(issuer, { ...plain, algorithm: 'oauth2' }));
  for (const path of ['/mcp', '/mcp/platform', `/api/v1/mcp/${session.projectId}/http`]) {
    const resource = new URL(url + path);
    const found = await oauth.processResourceDiscoveryResponse(
      resource, await oauth.resourceDiscoveryRequest(resource, plain));
    assert.deepEqual(found.authorization_servers, [server.issuer]);
  }
}

const authentications = {
  none: () => oauth.None(),
  client_secret_basic: (client) => oauth.ClientSecretBasic(client.client_secret),
  client_secret_post: (client) => oauth.ClientSecretPost(client.client_secret),
};

async function grant(method) {
  const client = await oauth.processDynamicClientRegistrationResponse(await oauth.dynamicClientRegistrationRequest(
    server, { redirect_uris: [callback], client_name: 'Strict', token_endpoint_auth_method: method }, plain));
  assert.equal(client.token_endpoint_auth_method, method);
  const authentication = authentications[method](client);
  const verifier = oauth.generateRandomCodeVerifier();
  const state = oauth.generateRandomState();
  const address = new URL(server.authorization_endpoint);
  address.search = new URLSearchParams({
    client_id: client.client_id, redirect_uri: callback, response_type: 'code', scope: 'mcp', state,
    code_challenge: await oauth.calculatePKCECodeChallenge(verifier), code_challenge_method: 'S256',
    resource: url + '/mcp',
  });
  const back = await consent(address, session);
  const parameters = oauth.validateAuthResponse(server, client, back, state);

  const tokens = await oauth.processAuthorizationCodeResponse(server, client, await oauth.authorizationCodeGrantRequest(
    server, client, authentication, parameters, callback, verifier, plain));
  assert.equal(tokens.expires_in, 900);
  const again = await oauth.authorizationCodeGrantRequest(
    server, client, authentication, parameters, callback, verifier, plain);
  await assert.rejects(oauth.processAuthorizationCodeResponse(server, client, again), { error: 'invalid_grant' });

  // A code that comes twice has been stolen: what it gave is taken back
  const stolen = await oauth.refreshTokenGrantRequest(server, client, authentication, tokens.refresh_token, plain);
  await assert.rejects(oauth.processRefreshTokenResponse(server, client, stolen), { error: 'invalid_grant' });
  const refused = oauth.protectedResourceRequest(
    tokens.access_token, 'POST', new URL(url + '/mcp'), new Headers(), null, plain);
  await assert.rejects(refused, (error) => error instanceof oauth.WWWAuthenticateChallengeError
    && error.cause.some((challenge) => challenge.scheme === 'bearer'));
}

async function endOfAGrant(method) {
  const client = await oauth.processDynamicClientRegistrationResponse(await oauth.dynamicClientRegistrationRequest(
    server, { redirect_uris: [callback], token_endpoint_auth_method: method }, plain));
  const authentication = authentications[method](client);
  const verifier = oauth.generateRandomCodeVerifier();
  const address = new URL(server.authorization_endpoint);
  address.search = new URLSearchParams({
    client_id: client.client_id, redirect_uri: callback, response_type: 'code',
    code_challenge: await oauth.calculatePKCECodeChallenge(verifier), code_challenge_method: 'S256',
  });
  const parameters = oauth.validateAuthResponse(
    server, client, await consent(address, session), oauth.expectNoState);
  const tokens = await oauth.processAuthorizationCodeResponse(server, client, await oauth.authorizationCodeGrantRequest(
    server, client, authentication, parameters, callback, verifier, plain));
  const refresh = async () => oauth.processRefreshTokenResponse(server, client, await oauth.refreshTokenGrantRequest(
    server, client, authentication, tokens.refresh_token, plain));
  const renewed = await refresh();
  assert.equal(renewed.token_type, 'bearer');
  for (const token of [renewed.access_token, tokens.refresh_token, tokens.refresh_token, 'unknown']) {
    await oauth.processRevocationResponse(
      await oauth.revocationRequest(server, client, authentication, token, plain));
  }
  await assert.rejects(refresh(), { error: 'invalid_grant' });
}

async function withoutItsSecret() {
  const client = await oauth.processDynamicClientRegistrationResponse(await oauth.dynamicClientRegistrationRequest(
    server, { redirect_uris: [callback] }, plain));
  assert.equal(client.token_endpoint_auth_method, 'client_secret_basic');
  const answer = await oauth.refreshTokenGrantRequest(server, client, oauth.None(), 'a token', plain);
  await assert.rejects(oauth.processRefreshTokenResponse(server, client, answer), { error: 'invalid_client' });
  const revocation = await oauth.revocationRequest(server, client, oauth.None(), 'a token', plain);
  await assert.rejects(oauth.processRevocationResponse(revocation), { error: 'invalid_client' });
}

const parts = { 'discovery (RFC 8414, RFC 9728)': discover };
for (const method of Object.keys(authentications)) {
  parts[`a code is good once, ${method}`] = () => grant(method);
  parts[`refresh and revocation, ${method}`] = () => endOfAGrant(method);
}
parts['a confidential client without its secret'] = withoutItsSecret;
await run(parts);
