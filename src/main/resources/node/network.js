'use strict';

const dgram = require('node:dgram');
const dns = require('node:dns');
const { syncBuiltinESMExports } = require('node:module');
const net = require('node:net');
const { openChannel } = require('./channel');
const { guardHandles } = require('./handles');
const { guardWrites } = require('./leases');
const { replaceLookups } = require('./names');
const { blocked, refusal } = require('./refusals');

/**
 * Lets pieces connect over the server only (decision 0363), and refuses listening and anything but TCP. The server judges each
 * address when it connects (contract pieces 10.3); the lists here only produce the errors that pieces know.
 *
 * @param network {refused: [cidr], allowed: [cidr], exempt: [host:port]}
 */
function installNetworkGuard({ refused, allowed, exempt }) {
  const refusedBlocks = blocksOf(refused);
  const allowedBlocks = blocksOf(allowed);
  const isAllowed = (address) => contains(allowedBlocks, address) || !contains(refusedBlocks, address);
  const channel = openChannel();
  guardHandles(channel);
  const exemptLookup = replaceLookups(channel);
  const guardSocket = channel === null ? () => {} : guardWrites(channel);
  guardConnections(isAllowed, named(exempt), exemptLookup, channel !== null, guardSocket);
  refuseListening();
  refuseDatagrams();
  refuseOtherNameServers();
  // Modules that import single names see the guarded functions, too.
  syncBuiltinESMExports();
}

function guardConnections(isAllowed, exempt, exemptLookup, hasChannel, guardSocket) {
  const connect = net.Socket.prototype.connect;
  net.Socket.prototype.connect = function guardedConnect(...args) {
    const given = Array.isArray(args[0]) ? args[0] : args;
    const options = typeof given[0] === 'object' && given[0] !== null ? given[0] : optionsOf(given);
    if (options.path) {
      return destroyLater(this, blocked('a local socket', options.path));
    }
    if (!hasChannel) {
      return destroyLater(this, refusal('to connect', 'this server has no channel to its processes'));
    }
    guardSocket(this);
    // Read once: an object may say another thing each time it is asked.
    const host = `${options.host ?? 'localhost'}`;
    const port = `${options.port}`;
    const isExempt = exempt[`${host}:${port}`] === true;
    if (net.isIP(host) !== 0 && !isExempt && !isAllowed(host)) {
      return destroyLater(this, blocked(host, host));
    }
    const lookup = isExempt ? exemptLookup : guardedLookup(options.lookup ?? dns.lookup, isAllowed);
    const guarded = { ...options, host, port, lookup };
    const rest = typeof given[0] === 'object' && given[0] !== null ? given.slice(1) : given.filter((v) => typeof v === 'function');
    return connect.call(this, guarded, ...rest);
  };
}

/** The words as names of an object that inherits nothing. */
function named(words) {
  const names = Object.create(null);
  for (const word of words) {
    names[word] = true;
  }
  return names;
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

/** Servers of all protocols inherit from this one. */
function refuseListening() {
  net.Server.prototype.listen = function refusedListen() {
    process.nextTick(() => this.emit('error', refusal('to listen', 'a piece is called through its triggers')));
    return this;
  };
}

function refuseDatagrams() {
  const told = (socket, args) => {
    const error = refusal('to use UDP', 'a piece speaks TCP');
    const callback = args.findLast((argument) => typeof argument === 'function');
    process.nextTick(() => (callback ? callback(error) : socket.emit('error', error)));
    return socket;
  };
  for (const name of ['send', 'connect']) {
    dgram.Socket.prototype[name] = function refusedDatagram(...args) {
      return void told(this, args);
    };
  }
  // The callback of this one is for success only.
  dgram.Socket.prototype.bind = function refusedBind() {
    return told(this, []);
  };
}

/** The server asks the name servers of its host. */
function refuseOtherNameServers() {
  const refused = () => {
    throw refusal('to use other name servers', "names are looked up by the system's");
  };
  for (const owner of [dns, dns.promises, dns.Resolver.prototype, dns.promises.Resolver.prototype]) {
    owner.setServers = refused;
  }
  for (const type of [dns.Resolver, dns.promises.Resolver]) {
    type.prototype.setLocalAddress = refused;
  }
}

function destroyLater(socket, error) {
  process.nextTick(() => socket.destroy(error));
  return socket;
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
