'use strict';

const net = require('node:net');
const { aborted, guardSessions } = require('./sessions');

// Packages may change every object that they reach; the functions that are needed later are kept here.
const { apply } = Reflect;

/**
 * Lets a process send on a connection that it keeps only while the server holds its lease (decision 0363): a server that was
 * stopped may have lost the run to another node. The process compares the clock with the end of the lease that it was sent
 * last, and asks the server after it.
 *
 * HTTP/2 sessions write without these functions: {@link guardSessions} checks their requests.
 *
 * @param channel of {@link openChannel}
 * @return function to be called with each socket that connects
 */
function guardWrites(channel) {
  const guarded = new WeakSet();
  const write = net.Socket.prototype._writeGeneric;
  if (typeof write !== 'function') {
    throw new Error('this release of Node.js has no function through which all sockets write');
  }
  net.Socket.prototype._writeGeneric = function guardedWrite(isVector, data, encoding, callback) {
    const words = [isVector, data, encoding, callback];
    if (this.connecting || !guarded.has(this) || channel.isHeld()) {
      return apply(write, this, words);
    }
    channel.ask({ t: 'held' }, (answer) => {
      if (answer.held === true) {
        apply(write, this, words);
      } else {
        callback(aborted());
      }
    });
    return undefined;
  };
  const guardHttp2 = guardSessions(channel);
  return (socket) => {
    guardHttp2();
    guarded.add(socket);
  };
}

module.exports = { guardWrites };
