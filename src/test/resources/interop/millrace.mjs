// A running Millrace, as its administrator and as the browser of its administrator.
import assert from 'node:assert/strict';

export const url = process.env.MILLRACE_URL;
export const callback = 'http://127.0.0.1:6274/callback';
const person = {
  email: 'ada@mill.example', password: 'a long passphrase', firstName: 'Ada', lastName: 'Mill', trackEvents: false,
  newsLetter: false,
};

export async function call(method, path, body, token, headers = {}) {
  const answer = await fetch(url + path, {
    method,
    redirect: 'manual',
    headers: {
      ...(body ? { 'Content-Type': 'application/json' } : {}),
      ...(token ? { Authorization: 'Bearer ' + token } : {}),
      ...headers,
    },
    body: body && (typeof body === 'string' ? body : JSON.stringify(body)),
  });
  const text = await answer.text();
  const json = answer.headers.get('content-type')?.includes('json') && text ? JSON.parse(text) : null;
  return { status: answer.status, headers: answer.headers, text, json };
}

/** The administrator: signed up by whichever program comes first. */
export async function administrator() {
  const path = '/api/v1/authentication/';
  const { email, password } = person;
  let answer = await call('POST', path + 'sign-in', { email, password });
  if (answer.status !== 200) {
    answer = await call('POST', path + 'sign-up', person);
  }
  assert.equal(answer.status, 200, answer.text);
  return answer.json;
}

export async function apiKey(session) {
  const answer = await call('POST', '/api/v1/api-keys', { displayName: 'Interop' }, session.token);
  assert.equal(answer.status, 201, answer.text);
  return answer.json.value;
}

/** What a browser does with an authorization address, and a person with the page it shows: where it all leads. */
export async function consent(address, session) {
  const sent = await fetch(address, { redirect: 'manual' });
  assert.equal(sent.status, 302, await sent.text());
  const page = new URL(sent.headers.get('location'));
  const shown = await fetch(page);
  assert.equal(shown.status, 200);
  assert.match(await shown.text(), /<form id="consent"/);
  const authRequestId = page.searchParams.get('authRequestId');
  const answer = await call('POST', '/api/v1/mcp-oauth/approve', { authRequestId }, session.token);
  assert.equal(answer.status, 200, answer.text);
  return new URL(answer.json.redirectUrl);
}

/** Runs parts one after the other; the first that fails ends the program. */
export async function run(parts) {
  for (const [name, part] of Object.entries(parts)) {
    await part();
    console.log('  ok  ' + name);
  }
}
