'use strict';

const asyncHooks = require('node:async_hooks');
const dgram = require('node:dgram');
const dns = require('node:dns');
const net = require('node:net');

/** What the engine answers where a system refuses: EACCES. */
const REFUSED = -13;

// Pieces may change every object that they reach, these functions' own among them; so what is needed is kept here.
const { apply } = Reflect;
const { isIPv6 } = net;

/**
 * Guards what every socket of this process comes down to, however it was made: the engine's own handles. They get the
 * address that is really connected to, after names have been resolved.
 *
 * @param refused {BlockList}
 * @param allowed {BlockList} of those that are refused, the ones that are allowed
 * @param exempt addresses and ports that are allowed: {'address:port': true}; may grow
 */
function guardHandles(refused, allowed, exempt) {
  const isListed = (check, address) => check(address, isIPv6(address) ? 'ipv6' : 'ipv4');
  const isRefused = frozen(refused);
  const isAllowed = frozen(allowed);
  const mayConnect = (address, port) => {
    try {
      return exempt[`${address}:${port}`] === true || isListed(isAllowed, address) || !isListed(isRefused, address);
    } catch {
      // No address at all, or one of this link only.
      return false;
    }
  };
  const { TCPWRAP, PIPEWRAP, UDPWRAP, DNSCHANNEL } = prototypes();
  for (const name of ['connect', 'connect6']) {
    const original = TCPWRAP[name];
    fix(TCPWRAP, name, function connect(request, address, port) {
      // What was judged is what is used: an object may say another thing each time it is asked.
      const [text, number] = [`${address}`, Number(port)];
      return mayConnect(text, number) ? apply(original, this, [request, text, number]) : REFUSED;
    });
  }
  refuse(TCPWRAP, ['bind', 'bind6', 'listen', 'open']);
  refuse(PIPEWRAP, ['connect', 'bind', 'listen', 'open']);
  refuse(UDPWRAP, ['bind', 'bind6', 'connect', 'connect6', 'send', 'send6', 'open', 'recvStart']);
  refuse(DNSCHANNEL, ['setServers', 'setLocalAddress']);
}

function refuse(prototype, names) {
  for (const name of names.filter((member) => typeof prototype[member] === 'function')) {
    fix(prototype, name, () => REFUSED);
  }
}

function fix(prototype, name, value) {
  Object.defineProperty(prototype, name, { value, writable: false, configurable: false, enumerable: true });
}

/** The check of a list, which nobody can change any more. */
function frozen(list) {
  const check = net.BlockList.prototype.check.bind(list);
  for (const symbol of Object.getOwnPropertySymbols(list)) {
    const inner = list[symbol];
    if (inner !== null && typeof inner === 'object') {
      Object.freeze(Object.getPrototypeOf(inner));
    }
  }
  for (const type of [net.BlockList, net.SocketAddress]) {
    Object.freeze(type);
    Object.freeze(type.prototype);
  }
  return check;
}

/** What the handles of each kind inherit from. They are not to be had by name, but the engine tells of each new one. */
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
