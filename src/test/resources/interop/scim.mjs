// What Entra and Okta send, in the order in which they do; every answer must be one that the schemas of scimmy allow.
import assert from 'node:assert/strict';
import SCIMMY from 'scimmy';
import { administrator, apiKey, call, run } from './millrace.mjs';

const key = await apiKey(await administrator());
const core = 'urn:ietf:params:scim:schemas:core:2.0:';
const patch = 'urn:ietf:params:scim:api:messages:2.0:PatchOp';
const enterprise = 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User';

async function scim(method, path, body, status) {
  const answer = await call(method, '/api/v1/scim/v2' + path, body && JSON.stringify(body), key,
    { 'Content-Type': 'application/scim+json', Accept: 'application/scim+json' });
  assert.equal(answer.status, status, `${method} ${path}: ${answer.text}`);
  if (status !== 204) {
    assert.match(answer.headers.get('content-type'), /^application\/(scim\+)?json/);
  }
  return answer.json;
}

const search = async (path, filter) => {
  const found = await scim('GET', `${path}?filter=${encodeURIComponent(filter)}&startIndex=1&count=100`, null, 200);
  const list = new SCIMMY.Messages.ListResponse(found);
  assert.equal(list.totalResults, found.Resources.length);
  return found.Resources;
};

/** A client that knows the schemas reads it, and loses nothing that counts. */
function user(json) {
  const read = new SCIMMY.Schemas.User(json, 'out');
  assert.equal(read.userName, json.userName);
  assert.equal(read.meta.resourceType, 'User');
  return json;
}

function group(json) {
  assert.equal(new SCIMMY.Schemas.Group(json, 'out').displayName, json.displayName);
  return json;
}

async function discovery() {
  const config = await scim('GET', '/ServiceProviderConfig', null, 200);
  assert.equal(config.patch.supported, true);
  assert.equal(config.filter.supported, true);
  for (const path of ['/ResourceTypes', '/Schemas']) {
    const found = await scim('GET', path, null, 200);
    assert.ok(new SCIMMY.Messages.ListResponse(found).totalResults >= 2);
  }
}

async function entra() {
  assert.equal((await search('/Users', 'userName eq "not-there@mill.example"')).length, 0);
  const made = user(await scim('POST', '/Users', {
    schemas: [core + 'User', enterprise], externalId: '58342554-38d6-4ec8-948c-50044d0a33fd',
    userName: 'Test_User@mill.example', active: true,
    emails: [{ primary: true, type: 'work', value: 'test.user@mill.example' }], meta: { resourceType: 'User' },
    name: { formatted: 'Test User', familyName: 'User', givenName: 'Test' }, roles: [],
    [enterprise]: { department: 'Mills' },
  }, 201));
  assert.equal((await search('/Users', 'userName eq "test_user@mill.example"'))[0].id, made.id);
  await scim('PATCH', '/Users/' + made.id, { schemas: [patch], Operations: [
    { op: 'Replace', path: 'name.familyName', value: 'Updated' },
    { op: 'Add', path: `${enterprise}:department`, value: 'Finance' },
    { op: 'Replace', path: 'emails[type eq "work"].value', value: 'new@mill.example' },
  ] }, 200);
  const team = group(await scim('POST', '/Groups', {
    schemas: [core + 'Group', 'http://schemas.microsoft.com/2006/11/ResourceManagement/ADSCIM/2.0/Group'],
    externalId: '8aa1a0c0-c4c3-4bc0-b4a5-2ef676900159', displayName: 'Entra team', meta: { resourceType: 'Group' },
  }, 201));
  await scim('GET', `/Groups/${team.id}?excludedAttributes=members`, null, 200);
  await scim('PATCH', '/Groups/' + team.id,
    { schemas: [patch], Operations: [{ op: 'Add', path: 'members', value: [{ $ref: null, value: made.id }] }] }, 200);
  const joined = group(await scim('GET', '/Groups/' + team.id, null, 200));
  assert.deepEqual(joined.members.map((member) => member.value), [made.id]);
  assert.equal((await search('/Groups', 'displayName eq "Entra team"')).length, 1);
  await scim('PATCH', '/Groups/' + team.id,
    { schemas: [patch], Operations: [{ op: 'Remove', path: 'members', value: [{ $ref: null, value: made.id }] }] }, 200);
  const left = await scim('GET', '/Groups/' + team.id, null, 200);
  assert.equal((left.members ?? []).length, 0);
  const off = user(await scim('PATCH', '/Users/' + made.id,
    { schemas: [patch], Operations: [{ op: 'Replace', path: 'active', value: 'False' }] }, 200));
  assert.equal(off.active, false);
  await scim('DELETE', '/Users/' + made.id, null, 204);
  await scim('DELETE', '/Groups/' + team.id, null, 204);
  assert.equal((await scim('GET', '/Groups/' + team.id, null, 404)).status, '404');
}

async function okta() {
  await scim('GET', '/Users?startIndex=1&count=2', null, 200);
  assert.equal((await search('/Users', 'userName eq "okta@mill.example"')).length, 0);
  const body = {
    schemas: [core + 'User'], userName: 'okta@mill.example', name: { givenName: 'Olga', familyName: 'Okta' },
    emails: [{ primary: true, value: 'okta@mill.example', type: 'work' }], displayName: 'Olga Okta', locale: 'en-US',
    externalId: '00ujl29u0le5T6Aj10h7', groups: [], password: '1mz050nq', active: true,
  };
  const made = user(await scim('POST', '/Users', body, 201));
  assert.ok(!('password' in made));
  const conflict = await scim('POST', '/Users', body, 409);
  assert.deepEqual(conflict.schemas, ['urn:ietf:params:scim:api:messages:2.0:Error']);
  assert.equal(conflict.status, '409');
  const put = user(await scim('PUT', '/Users/' + made.id,
    { ...made, name: { givenName: 'Another', familyName: 'Okta' }, password: 'xxx' }, 200));
  assert.equal(put.name.givenName, 'Another');
  const team = group(await scim('POST', '/Groups', {
    schemas: [core + 'Group'], displayName: 'Okta team', members: [{ value: made.id, display: 'okta@mill.example' }],
  }, 201));
  await scim('PATCH', '/Groups/' + team.id, { schemas: [patch], Operations: [
    { op: 'replace', value: { id: team.id, displayName: 'Okta team renamed' } }] }, 200);
  assert.equal((await search('/Groups', 'displayName eq "Okta team renamed"')).length, 1);
  await scim('PATCH', '/Groups/' + team.id, { schemas: [patch], Operations: [
    { op: 'remove', path: `members[value eq "${made.id}"]` },
    { op: 'add', path: 'members', value: [{ value: made.id, display: 'okta@mill.example' }] }] }, 200);
  const off = user(await scim('PATCH', '/Users/' + made.id,
    { schemas: [patch], Operations: [{ op: 'replace', value: { active: false } }] }, 200));
  assert.equal(off.active, false);
  const on = user(await scim('PATCH', '/Users/' + made.id,
    { schemas: [patch], Operations: [{ op: 'replace', value: { active: true } }] }, 200));
  assert.equal(on.active, true);
  await scim('DELETE', '/Groups/' + team.id, null, 204);
  await scim('DELETE', '/Users/' + made.id, null, 204);
}

await run({ 'what the server says of itself': discovery, 'as Entra': entra, 'as Okta': okta });
