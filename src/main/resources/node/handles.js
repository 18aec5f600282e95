'use strict';

const asyncHooks = require('node:async_hooks');
const dgram = require('node:dgram');
const dns = require('node:dns');
const net = require('node:net');

/** Results of the engine where a system refuses, and where a connection was lost: EACCES and ECONNABORTED. */
const REFUSED = -13;
const ABORTED = -103;

// Packages may change every object that they reach; the functions that are needed later are kept here.
const { apply } = Reflect;

/**
 * Replaces the functions of the engine's handles that make connections. A TCP handle asks the server for a connected socket;
 * the engine's own connect is not kept, so that no code of this process can get hold of it. All other kinds are refused.
 *
 * @param channel of {@link openChannel}; null to refuse connections
 */
function guardHandles(channel) {
  const { TCPWRAP, PIPEWRAP, UDPWRAP, DNSCHANNEL } = prototypes();
  guardTcp(TCPWRAP, channel);
  refuse(TCPWRAP, ['bind', 'bind6', 'listen', 'open']);
  refuse(PIPEWRAP, ['connect', 'bind', 'listen', 'open']);
  refuse(UDPWRAP, ['bind', 'bind6', 'connect', 'connect6', 'send', 'send6', 'open', 'recvStart']);
  refuse(DNSCHANNEL, namesOf(DNSCHANNEL));
}

function guardTcp(prototype, channel) {
  const { open, close } = prototype;
  const pending = new WeakMap();
  function connect(request, address, port) {
    if (channel === null) {
      return REFUSED;
    }
    const handle = this;
    const id = channel.ask({ t: 'connect', address: `${address}`, port: Number(port) }, (answer, received) => {
      if (!pending.delete(handle)) {
        received?.close();
        return;
      }
      // The received handle is left as it is: closing it would close the descriptor that both have from here on.
      const status = received ? apply(open, handle, [received.fd]) : (answer.code ?? ABORTED);
      // An attempt that was given up has no function for its end.
      if (typeof request.oncomplete === 'function') {
        request.oncomplete(status, handle, request, status === 0, status === 0);
      }
    });
    pending.set(handle, id);
    return 0;
  }
  fix(prototype, 'connect', connect);
  fix(prototype, 'connect6', connect);
  fix(prototype, 'close', function closeHandle(...callbacks) {
    if (pending.has(this)) {
      channel.cancel(pending.get(this));
      pending.delete(this);
    }
    return apply(close, this, callbacks);
  });
}

function refuse(prototype, names) {
  for (const name of names.filter((member) => typeof prototype[member] === 'function')) {
    fix(prototype, name, () => REFUSED);
  }
}

/** Everything that a resolver of the engine does on the network. */
function namesOf(prototype) {
  return Object.getOwnPropertyNames(prototype).filter((name) => /^(query|getHost|set)/.test(name));
}

function fix(prototype, name, value) {
  Object.defineProperty(prototype, name, { value, writable: false, configurable: false, enumerable: true });
}

/** Prototypes of the engine's handles. They have no public name; the engine announces each new handle to a hook. */
function prototypes() {
  const found = {};
  const hook = asyncHooks.createHook({
    init: (id, type, trigger, resource) => {
      found[type] ??= Object.getPrototypeOf(resource);
    },
  });
  hook.enable();
  const sockets = [new net.Socket(), new net.Socket()];
  sockets.forEach((socket) => socket.on('error', () => {}));
  sockets[0].connect({ host: 'nowhere.invalid', port: 1, lookup: () => {} });
  sockets[1].connect({ path: '/dev/null/nowhere' });
  dgram.createSocket('udp4').close();
  new dns.Resolver();
  hook.disable();
  sockets.forEach((socket) => socket.destroy());
  for (const kind of ['TCPWRAP', 'PIPEWRAP', 'UDPWRAP', 'DNSCHANNEL']) {
    if (!found[kind]) {
      throw new Error(`this release of Node.js has no handles of the kind ${kind}`);
    }
  }
  return found;
}

module.exports = { guardHandles };
