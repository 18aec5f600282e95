// Releases of the Socket.IO client at the live channel of a project: with each transport, and going over by itself.
import assert from 'node:assert/strict';
import { administrator, call, run, url } from './millrace.mjs';

const releases = ['socket-io-newest', 'socket-io-older'];
const session = await administrator();

/** Opens the channel; answers when the client is in. */
async function open(release, options) {
  const { io } = await import(release);
  const { token, projectId } = session;
  const socket = io(url, { path: '/api/socket.io', auth: { token, projectId }, reconnection: false, forceNew: true, ...options });
  await new Promise((connected, refused) => socket.on('connect', connected).on('connect_error', refused));
  return socket;
}

const transportOf = (socket) => socket.io.engine.transport.name;
const ask = (socket, event, payload) => new Promise((answered) => socket.emit(event, payload, answered));

async function newestVersion() {
  const { token, projectId } = session;
  const flow = await call('POST', '/api/v1/flows', { displayName: 'Live', projectId }, token);
  assert.equal(flow.status, 201, flow.text);
  return flow.json.version.id;
}

/** Locks, looks on and is heard, with a payload that is longer than a frame usually is. */
async function edit(socket) {
  const resourceId = await newestVersion();
  const lock = await ask(socket, 'LOCK_RESOURCE', { resourceId, more: 'ü'.repeat(200_000) });
  assert.equal(lock.acquired, true);
  const present = new Promise((told) => socket.on('PRESENCE_UPDATED', told));
  socket.emit('JOIN_PRESENCE', { resourceId });
  assert.equal((await present).users[0].userId, session.id);
  socket.close();
}

const parts = {};
for (const release of releases) {
  for (const transport of ['websocket', 'polling']) {
    parts[`${release}, ${transport}`] = async () => {
      const socket = await open(release, { transports: [transport] });
      assert.equal(transportOf(socket), transport);
      await edit(socket);
    };
  }
  parts[`${release}, as it comes`] = async () => {
    const socket = await open(release, {});
    if (transportOf(socket) !== 'websocket') {
      await new Promise((upgraded) => socket.io.engine.on('upgrade', upgraded));
    }
    assert.equal(transportOf(socket), 'websocket');
    await edit(socket);
  };
  parts[`${release}, with nobody's token`] = async () => {
    await assert.rejects(open(release, { auth: { token: "nobody's", projectId: session.projectId } }), (refusal) => {
      assert.equal(refusal.data.code, 'INVALID_BEARER_TOKEN');
      return true;
    });
  };
}
await run(parts);
process.exit(0);
