'use strict';

const dns = require('node:dns');
const net = require('node:net');

/**
 * Keeps pieces from connecting to private addresses (contract pieces 10.3). It stops accidents; code that wants to get
 * round it can, until the operator confines the network.
 *
 * @param network {refused: [cidr], allowed: [cidr], exempt: [host:port]}
 */
function installNetworkGuard({ refused, allowed, exempt }) {
  const refusedBlocks = blocksOf(refused);
  const allowedBlocks = blocksOf(allowed);
  const isAllowed = (address) => contains(allowedBlocks, address) || !contains(refusedBlocks, address);
  const connect = net.Socket.prototype.connect;

  net.Socket.prototype.connect = function guardedConnect(...args) {
    const given = Array.isArray(args[0]) ? args[0] : args;
    const options = typeof given[0] === 'object' && given[0] !== null ? given[0] : optionsOf(given);
    if (options.path) {
      return destroyLater(this, blocked('a local socket', options.path));
    }
    if (exempt.includes(`${options.host ?? 'localhost'}:${options.port}`)) {
      return connect.apply(this, args);
    }
    const host = options.host ?? 'localhost';
    if (net.isIP(host) !== 0 && !isAllowed(host)) {
      return destroyLater(this, blocked(host, host));
    }
    const guarded = { ...options, host, lookup: guardedLookup(options.lookup ?? dns.lookup, isAllowed) };
    const rest = typeof given[0] === 'object' && given[0] !== null ? given.slice(1) : given.filter((v) => typeof v === 'function');
    return connect.call(this, guarded, ...rest);
  };
}

function optionsOf([first, second]) {
  return typeof first === 'string' && !/^\d+$/.test(first)
    ? { path: first }
    : { port: Number(first), ...(typeof second === 'string' ? { host: second } : {}) };
}

function guardedLookup(lookup, isAllowed) {
  return (hostname, options, callback) => {
    lookup(hostname, options, (error, found, family) => {
      if (error) {
        callback(error);
        return;
      }
      const addresses = Array.isArray(found) ? found.map((entry) => entry.address) : [found];
      const bad = addresses.find((address) => !isAllowed(address));
      if (bad !== undefined) {
        callback(blocked(hostname, bad));
      } else {
        callback(null, found, family);
      }
    });
  };
}

function destroyLater(socket, error) {
  process.nextTick(() => socket.destroy(error));
  return socket;
}

function blocked(host, address) {
  const error = new Error(`Blocked a request to ${host} (${address}): private addresses cannot be reached`);
  error.name = 'SSRFBlockedError';
  error.code = 'ESSRFBLOCKED';
  return error;
}

function blocksOf(cidrs) {
  const list = new net.BlockList();
  for (const cidr of cidrs) {
    const [address, length] = cidr.split('/');
    const family = net.isIPv6(address) ? 'ipv6' : 'ipv4';
    list.addSubnet(address, Number(length ?? (family === 'ipv6' ? 128 : 32)), family);
  }
  return list;
}

function contains(list, address) {
  const bare = address.split('%')[0];
  return list.check(bare, net.isIPv6(bare) ? 'ipv6' : 'ipv4');
}

module.exports = { installNetworkGuard };
