'use strict';

const { Duplex } = require('node:stream');

// Packages may change every object that they reach; the functions that are needed later are kept here.
const { apply } = Reflect;
const { defineProperty, getOwnPropertySymbols, getPrototypeOf } = Object;
const { isArray } = Array;
const { moduleLoadList } = process;

/** Loading the module takes longer than all others that a process needs: most processes never use it. */
const MODULE = 'NativeModule http2';

/**
 * Lets a process begin a request, and send more of one, on an HTTP/2 session that it keeps only while the server holds its lease.
 *
 * @param channel of {@link openChannel}
 * @return function to be called before each connection; it acts once, when the module is in use
 */
function guardSessions(channel) {
  let isGuarded = false;
  return () => {
    if (!isGuarded && (moduleLoadList === undefined || moduleLoadList.includes(MODULE))) {
      isGuarded = true;
      guardPrototypes(channel);
    }
  };
}

/** The classes are not exported: a session that leads nowhere has them. */
function guardPrototypes(channel) {
  const http2 = require('node:http2');
  const nowhere = new Duplex({ read() {}, write: (chunk, encoding, callback) => callback() });
  const session = http2.connect('http://nowhere.invalid', { createConnection: () => nowhere }).on('error', () => {});
  const queue = getOwnPropertySymbols(session).find((symbol) => symbol.description === 'kPendingRequestCalls');
  const [stream] = queued(session, queue, () => session.request({ ':path': '/' }).on('error', () => {}));
  guardRequests(getPrototypeOf(session), queue, channel);
  guardStreams(getPrototypeOf(getPrototypeOf(stream)), channel);
  session.destroy();
}

/** A request is queued as on a session that still connects, until the server has answered. */
function guardRequests(prototype, queue, channel) {
  const { request } = prototype;
  prototype.request = function guardedRequest(...words) {
    if (this.connecting || channel.isHeld()) {
      return apply(request, this, words);
    }
    const [stream, begin] = queued(this, queue, () => apply(request, this, words));
    channel.ask({ t: 'held' }, (answer) => (answer.held === true ? begin() : stream.destroy(aborted())));
    return stream;
  };
}

function queued(session, queue, request) {
  defineProperty(session, 'connecting', { value: true, configurable: true });
  try {
    const stream = request();
    const calls = session[queue];
    if (!isArray(calls)) {
      throw new Error('this release of Node.js has no queue of requests for sessions that connect');
    }
    session[queue] = null;
    // It waits for an event that has passed.
    session.removeListener('connect', session.rawListeners('connect').at(-1));
    return [stream, () => calls.forEach((call) => call())];
  } finally {
    delete session.connecting;
  }
}

/** Data of a stream that has no id yet waits for it. */
function guardStreams(prototype, channel) {
  for (const name of ['_write', '_writev', '_final']) {
    const send = prototype[name];
    prototype[name] = function guardedSend(...words) {
      if (this.pending || channel.isHeld()) {
        return apply(send, this, words);
      }
      channel.ask({ t: 'held' }, (answer) => {
        if (answer.held === true) {
          apply(send, this, words);
        } else {
          words.at(-1)(aborted());
        }
      });
      return undefined;
    };
  }
}

function aborted() {
  const error = new Error('write ECONNABORTED: the lease of this server ended first');
  error.code = 'ECONNABORTED';
  error.syscall = 'write';
  return error;
}

module.exports = { aborted, guardSessions };
