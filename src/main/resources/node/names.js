'use strict';

const dns = require('node:dns');
const { isIP } = require('node:net');
const { promisify } = require('node:util');
const { blocked, refusal } = require('./refusals');

/** Result of the engine for a name without an address. */
const UV_EAI_NONAME = -3008;
/** Types of records that the server looks up, by the part of a method's name that stands for them. */
const TYPES = { 4: 'A', 6: 'AAAA', Cname: 'CNAME', Mx: 'MX', Ns: 'NS', Ptr: 'PTR', Srv: 'SRV', Txt: 'TXT' };
const UNKNOWN_TYPES = ['Any', 'Caa', 'Naptr', 'Soa', 'Tlsa'];

/**
 * Replaces the lookups of the module `dns` by questions to the server, which has the resolver and judges the addresses.
 *
 * @param channel of {@link openChannel}; null to refuse lookups
 * @return the lookup of names whose addresses the server exempts, with the signature of `dns.lookup`
 */
function replaceLookups(channel) {
  const ask = (message, answered) => {
    if (channel === null) {
      process.nextTick(answered, { t: 'failed', code: 'EREFUSED' });
    } else {
      channel.ask(message, answered);
    }
  };
  const lookup = lookupBy(ask);
  dns.lookup = (hostname, options, callback) => {
    const isLocal = `${hostname}`.toLowerCase() === 'localhost';
    return isLocal ? localhost(hostname, options, callback) : lookup(hostname, options, callback);
  };
  dns.lookup[promisify.custom] = dns.promises.lookup = (hostname, options) =>
    new Promise((resolve, reject) => {
      dns.lookup(hostname, options ?? {}, (error, address, family) => {
        if (error) {
          reject(error);
        } else {
          resolve(Array.isArray(address) ? address : { address, family });
        }
      });
    });
  const unnamed = (address, port, callback) => failLater(callback, failure('getnameinfo', 'ENOTIMP', address));
  dns.lookupService = unnamed;
  dns.promises.lookupService = promisify(unnamed);
  replaceQueries(ask);
  return lookup;
}

function replaceQueries(ask) {
  const methods = {};
  for (const [suffix, type] of Object.entries(TYPES)) {
    methods[`resolve${suffix}`] = (...args) => query(ask, type, args);
  }
  for (const suffix of UNKNOWN_TYPES) {
    methods[`resolve${suffix}`] = (...args) => query(ask, suffix.toUpperCase(), args);
  }
  methods.resolve = (name, ...rest) => query(ask, typeof rest[0] === 'string' ? rest[0] : 'A', [name, ...rest]);
  methods.reverse = (address, callback) => query(ask, 'PTR', [address, callback]);
  for (const [name, method] of Object.entries(methods)) {
    const promised = (...args) =>
      new Promise((resolve, reject) => {
        method(...args, (error, records) => (error ? reject(error) : resolve(records)));
      });
    dns[name] = method;
    dns.Resolver.prototype[name] = method;
    dns.promises[name] = promised;
    dns.promises.Resolver.prototype[name] = promised;
  }
}

function query(ask, type, args) {
  const [name] = args;
  const callback = args.findLast((argument) => typeof argument === 'function');
  const withTtl = args.some((argument) => argument?.ttl === true) && (type === 'A' || type === 'AAAA');
  if (typeof name !== 'string' || callback === undefined) {
    throw Object.assign(new TypeError('expected a name and a callback'), { code: 'ERR_INVALID_ARG_TYPE' });
  }
  const syscall = `query${type[0]}${type.slice(1).toLowerCase()}`;
  if (!Object.values(TYPES).includes(type)) {
    failLater(callback, failure(syscall, 'ENOTIMP', name));
    return;
  }
  ask({ t: 'records', name: name.slice(0, 1024), type }, (answer) => {
    if (answer.t === 'records') {
      callback(null, withTtl ? answer.records.map((address) => ({ address, ttl: 0 })) : answer.records);
    } else {
      callback(answer.code === 'ESSRFBLOCKED' ? blocked(name, answer.address) : failure(syscall, answer.code ?? 'ECONNREFUSED', name));
    }
  });
}

/** The function of `dns.lookup`, answered by the server. */
function lookupBy(ask) {
  return (hostname, given, callback) => {
    const options = optionsOf(given);
    const done = typeof given === 'function' ? given : callback;
    const host = hostname ? `${hostname}` : '';
    if (typeof done !== 'function') {
      throw Object.assign(new TypeError('expected a callback'), { code: 'ERR_INVALID_ARG_TYPE' });
    }
    if (host === '' || isIP(host) !== 0) {
      process.nextTick(deliver, host === '' ? [] : [{ address: host, family: isIP(host) }], options, done, host);
      return {};
    }
    ask({ t: 'lookup', host: host.slice(0, 1024) }, (answer) => {
      if (answer.t === 'found') {
        deliver(answer.addresses, options, done, host);
      } else if (answer.code === 'EREFUSED') {
        done(refusal('to look up a name', 'this server has no channel to its processes'));
      } else {
        done(answer.code === 'ESSRFBLOCKED' ? blocked(host, answer.address) : notFound(host, answer.code));
      }
    });
    return {};
  };
}

/** The name of this host, which no name server is asked for. */
function localhost(hostname, given, callback) {
  const options = optionsOf(given);
  const address = options.family === 6 ? { address: '::1', family: 6 } : { address: '127.0.0.1', family: 4 };
  process.nextTick(deliver, [address], options, typeof given === 'function' ? given : callback, hostname);
  return {};
}

function optionsOf(given) {
  if (typeof given === 'number') {
    return { family: given, all: false };
  }
  const family = given?.family === 'IPv6' ? 6 : given?.family === 'IPv4' ? 4 : Number(given?.family ?? 0);
  return { family, all: given?.all === true, order: given?.order };
}

function deliver(addresses, { family, all, order }, callback, host) {
  const wanted = addresses.filter((found) => family === 0 || found.family === family);
  if (order === 'ipv6first') {
    wanted.sort((a, b) => b.family - a.family);
  }
  if (all) {
    callback(wanted.length === 0 && host !== '' ? notFound(host) : null, wanted);
  } else if (wanted.length > 0) {
    callback(null, wanted[0].address, wanted[0].family);
  } else if (host === '') {
    callback(null, null, family === 6 ? 6 : 4);
  } else {
    callback(notFound(host));
  }
}

function notFound(host, code = 'ENOTFOUND') {
  const error = failure('getaddrinfo', code, host);
  error.errno = code === 'ENOTFOUND' ? UV_EAI_NONAME : error.errno;
  return error;
}

function failure(syscall, code, hostname) {
  return Object.assign(new Error(`${syscall} ${code} ${hostname}`), { errno: undefined, code, syscall, hostname });
}

function failLater(callback, error) {
  process.nextTick(callback, error);
}

module.exports = { replaceLookups };
