// samlp, the identity provider of Auth0, signs people in: with signed assertions, signed responses, and encrypted ones.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { X509Certificate } from 'node:crypto';
import samlp from 'samlp';
import { administrator, call, run, url } from './millrace.mjs';

const session = await administrator();
const issuer = 'https://idp.mill.example';
const gcm = 'http://www.w3.org/2009/xmlenc11#aes256-gcm';
const cbc = 'http://www.w3.org/2001/04/xmlenc#aes256-cbc';
const keys = keyPair();
let encryption;

function keyPair() {
  const folder = mkdtempSync(join(tmpdir(), 'millrace-saml-'));
  try {
    execFileSync('openssl', ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-days', '2', '-subj', '/CN=idp',
      '-keyout', join(folder, 'key'), '-out', join(folder, 'certificate')], { stdio: 'ignore' });
    return { key: readFileSync(join(folder, 'key'), 'utf8'), cert: readFileSync(join(folder, 'certificate'), 'utf8') };
  } finally {
    rmSync(folder, { recursive: true });
  }
}

async function introduce() {
  const idpMetadata = `<?xml version="1.0"?><EntityDescriptor xmlns="urn:oasis:names:tc:SAML:2.0:metadata"
    entityID="${issuer}"><IDPSSODescriptor protocolSupportEnumeration="urn:oasis:names:tc:SAML:2.0:protocol">
    <SingleSignOnService Binding="urn:oasis:names:tc:SAML:2.0:bindings:HTTP-Redirect" Location="${issuer}/sso"/>
    </IDPSSODescriptor></EntityDescriptor>`;
  const changed = await call('POST', '/api/v1/platforms/' + session.platformId, {
    federatedAuthProviders: { saml: { idpMetadata, idpCertificate: keys.cert } },
  }, session.token);
  assert.equal(changed.status, 200, changed.text);
  const metadata = await call('GET', '/api/v1/authn/saml/metadata');
  const der = metadata.text.match(/<ds:X509Certificate>([^<]+)</)[1];
  encryption = new X509Certificate(Buffer.from(der, 'base64'));
  assert.equal(encryption.publicKey.asymmetricKeyType, 'rsa');
}

/** What the identity provider posts by the browser for the question that the browser brings. */
function response(SAMLRequest, email, options) {
  const user = {
    id: email, emails: [{ value: email }], displayName: 'Grace Hopper', name: { givenName: 'Grace', familyName: 'Hopper' },
  };
  return new Promise((resolve, reject) => samlp.auth({
    issuer, ...keys, getUserFromRequest: () => user,
    getPostURL: (audience, request, req, done) => done(null, url + '/api/v1/authn/saml/acs'),
    destination: url + '/api/v1/authn/saml/acs', recipient: url + '/api/v1/authn/saml/acs',
    responseHandler: (bytes) => resolve(bytes.toString('base64')),
    ...options,
  })({ query: { SAMLRequest }, body: {}, method: 'GET', headers: {} }, {}, reject));
}

async function signIn(email, options) {
  const asked = await call('GET', '/api/v1/authn/saml/login');
  assert.equal(asked.status, 302, asked.text);
  const question = new URL(asked.headers.get('location')).searchParams.get('SAMLRequest');
  const SAMLResponse = await response(question, email, options);
  return call('POST', '/api/v1/authn/saml/acs', new URLSearchParams({ SAMLResponse }).toString(), null,
    { 'Content-Type': 'application/x-www-form-urlencoded' });
}

async function enters(email, options) {
  const answer = await signIn(email, options);
  assert.equal(answer.status, 302, answer.text);
  const opened = JSON.parse(new URL(answer.headers.get('location')).searchParams.get('response'));
  assert.equal(opened.email, email);
  assert.equal(opened.lastName, 'Hopper');
}

const encrypted = (encryptionAlgorithm) => ({
  encryptionCert: encryption.toString(), encryptionPublicKey: encryption.publicKey.export({ type: 'spki', format: 'pem' }),
  encryptionAlgorithm, disallowEncryptionWithInsecureAlgorithm: false, warnOnInsecureEncryptionAlgorithm: false,
});

await run({
  'the platform names its provider, and the provider this server': introduce,
  'a signed assertion': () => enters('one@mill.example', {}),
  'a signed response': () => enters('two@mill.example', { signResponse: true }),
  'an encrypted assertion, GCM': () => enters('three@mill.example', encrypted(gcm)),
  'an encrypted assertion in a signed response, CBC': () =>
    enters('four@mill.example', { ...encrypted(cbc), signResponse: true }),
  'an encrypted assertion in a response that nobody signed, CBC': async () =>
    assert.equal((await signIn('five@mill.example', encrypted(cbc))).status, 400),
  'SHA-1 is refused': async () => assert.equal((await signIn('six@mill.example',
    { signatureAlgorithm: 'rsa-sha1', digestAlgorithm: 'sha1' })).status, 400),
});
