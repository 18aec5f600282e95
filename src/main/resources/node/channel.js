'use strict';

const { AsyncResource } = require('node:async_hooks');

const { hrtime } = process;

/** Questions under way at a time; further ones wait here. The server ends a process that asks more at a time. */
const ASKED_MAX = 32;
/** Mark of the server's messages: those with this prefix are delivered beside the messages that packages listen for. */
const MARK = 'NODE_MILLRACE';

/**
 * The channel to the server (decision 0363), over which connected sockets and answers about names arrive. The channel does not
 * keep the process alive unless an answer is pending.
 *
 * @return {ask, cancel, isHeld}; null in a process without a channel
 */
function openChannel() {
  if (typeof process.send !== 'function') {
    return null;
  }
  const { channel } = process;
  const write = process.send.bind(process);
  const asked = new Map();
  const waiting = new Map();
  let last = 0;
  let isOpen = true;
  let untilMicros = 0;
  channel.unref();

  const post = (message) => write(message, undefined, {}, () => {});
  const begin = (id, question) => {
    if (asked.size === 0) {
      channel.ref();
    }
    asked.set(id, question.answered);
    post({ ...question.message, id });
  };
  const next = () => {
    for (const [id, question] of waiting) {
      if (asked.size >= ASKED_MAX) {
        return;
      }
      waiting.delete(id);
      begin(id, question);
    }
    if (asked.size === 0) {
      channel.unref();
    }
  };
  const settle = (id, answer, handle) => {
    const answered = asked.get(id);
    asked.delete(id);
    next();
    if (answered) {
      answered(answer, handle);
    } else {
      handle?.close();
    }
  };

  process.on('internalMessage', (message, handle) => {
    if (message?.cmd === MARK) {
      untilMicros = message.until ?? untilMicros;
      settle(message.id, message, handle);
    }
  });
  process.on('disconnect', () => {
    isOpen = false;
    const left = [...asked.values(), ...[...waiting.values()].map((question) => question.answered)];
    asked.clear();
    waiting.clear();
    left.forEach((answered) => answered?.({ t: 'closed' }));
  });
  hide();

  return {
    /** Asks the server. Calls back with the answer, and with a handle when the server passes a socket. */
    ask(message, callback) {
      const id = ++last;
      // What a package keeps by its asynchronous context is there again when it is called back.
      const scope = new AsyncResource('MILLRACE');
      const answered = (answer, handle) => scope.runInAsyncScope(process.nextTick, process, callback, answer, handle);
      if (!isOpen) {
        answered({ t: 'closed' });
      } else if (asked.size < ASKED_MAX) {
        begin(id, { message, answered });
      } else {
        waiting.set(id, { message, answered });
      }
      return id;
    },
    /** True until the lease of the server ends, as far as this process knows. The server reads the same clock. */
    isHeld() {
      const [seconds, nanos] = hrtime();
      return seconds * 1e6 + nanos / 1e3 < untilMicros;
    },
    /** Gives a question up: its caller is not called back. */
    cancel(id) {
      if (!waiting.delete(id) && asked.has(id)) {
        asked.set(id, undefined);
        post({ t: 'abort', id });
      }
    },
  };
}

/** Packages that find `process.send` take this process for a child of their own program. */
function hide() {
  delete process.send;
  process.disconnect = undefined;
}

module.exports = { openChannel };
