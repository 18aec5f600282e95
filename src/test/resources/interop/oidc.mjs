// oidc-provider, which is certified, signs a person in: its forms are filled in as a browser would.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import Provider from 'oidc-provider';
import { administrator, call, run, url } from './millrace.mjs';

const session = await administrator();
const listener = createServer();
listener.listen(0, '127.0.0.1');
await once(listener, 'listening');
const issuer = `http://127.0.0.1:${listener.address().port}`;

function provider(idTokenHoldsAll, authentication) {
  const made = new Provider(issuer, {
    clients: [{
      client_id: 'mill', client_secret: 'a secret with & % and +', redirect_uris: [url + '/redirect'],
      token_endpoint_auth_method: authentication,
    }],
    claims: { email: ['email', 'email_verified'], profile: ['name', 'given_name', 'family_name'] },
    conformIdTokenClaims: !idTokenHoldsAll,
    cookies: { keys: ['of this program only'] },
    findAccount: (context, id) => ({
      accountId: id,
      claims: () => ({
        sub: id, email: `${id}@mill.example`, email_verified: true, given_name: 'Grace', family_name: 'Hopper',
      }),
    }),
  });
  listener.removeAllListeners('request');
  listener.on('request', made.callback());
}

/** Follows redirects and fills in forms until the provider sends the browser back. */
async function browse(address, login) {
  const cookies = new Map();
  let request = { address, form: null };
  for (let step = 0; step < 20; step++) {
    const answer = await fetch(request.address, {
      method: request.form ? 'POST' : 'GET', body: request.form, redirect: 'manual',
      headers: { Cookie: [...cookies].map((pair) => pair.join('=')).join('; ') },
    });
    for (const cookie of answer.headers.getSetCookie()) {
      const [name, value] = cookie.split(';')[0].split(/=(.*)/s);
      cookies.set(name, value);
    }
    const text = await answer.text();
    const location = answer.headers.get('location');
    if (location?.startsWith(url)) {
      return new URL(location);
    }
    if (location) {
      request = { address: new URL(location, issuer), form: null };
      continue;
    }
    assert.equal(answer.status, 200, text);
    const prompt = text.match(/name="prompt" value="(\w+)"/)[1];
    const fields = prompt === 'login' ? { prompt, login, password: 'any' } : { prompt };
    request = { address: new URL(text.match(/action="([^"]+)"/)[1], issuer), form: new URLSearchParams(fields) };
  }
  throw new Error('the provider never came to an end');
}

async function signIn(login) {
  const begun = await call('GET', '/api/v1/authn/federated/login?providerName=oidc');
  assert.equal(begun.status, 200, begun.text);
  const cookie = begun.headers.getSetCookie()[0].split(';')[0];
  const back = await browse(begun.json.loginUrl, login);
  // This provider says that it names itself when it sends a browser back (RFC 9207).
  const claim = (code, iss = back.searchParams.get('iss')) => call('POST', '/api/v1/authn/federated/claim',
    { providerName: 'oidc', code, state: back.searchParams.get('state'), iss }, null, { Cookie: cookie });
  assert.equal((await claim(back.searchParams.get('code'), 'https://evil.example')).status, 401);
  const answer = await claim(back.searchParams.get('code'));
  assert.equal(answer.status, 200, answer.text);
  assert.equal(answer.json.email, `${login}@mill.example`);
  assert.equal(answer.json.firstName, 'Grace');
  assert.equal((await claim(back.searchParams.get('code'))).status, 401);
}

async function introduce() {
  const answer = await call('POST', '/api/v1/platforms/' + session.platformId, {
    federatedAuthProviders: { oidc: { issuer, clientId: 'mill', clientSecret: 'a secret with & % and +' } },
  }, session.token);
  assert.equal(answer.status, 200, answer.text);
}

await run({
  'the platform names its provider': introduce,
  'whole tokens, client_secret_basic': async () => { provider(true, 'client_secret_basic'); await signIn('grace'); },
  'thin tokens, client_secret_basic': async () => { provider(false, 'client_secret_basic'); await signIn('lin'); },
});
listener.close();
listener.closeAllConnections();
