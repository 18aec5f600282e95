'use strict';

/**
 * The piece host: runs unmodified piece packages for a Java server that talks to it over stdin and stdout, one JSON
 * object per line (contract pieces 9). Started as: node host.js. Ends when its input ends.
 */
const { AsyncLocalStorage } = require('node:async_hooks');
const fs = require('node:fs');
const { lineReader, writer } = require('./frames');
const { installNetworkGuard } = require('./network');
const { runCode } = require('./code');
const losses = require('./losses');
const { operations } = require('./operations');
const { Pieces } = require('./pieces');
const { describeError } = require('./errors');
const { installProcessGuard, installEngineGuard, installUserName, forgetHost } = require('./processes');

const PROTOCOL_VERSION = 1;
/** Output of one call; what comes after it is dropped, or a piece that floods would hold up its own answers. */
const LOG_CHARACTERS_PER_CALL_MAX = 64 * 1024;

/** Operations whose value becomes data of a flow. */
const OF_FLOWS = new Set(['action', 'run', 'test']);

const send = writer((text) => fs.writeSync(1, text));
const exit = process.exit.bind(process);
const calls = new Map();
const asked = new Map();
const current = new AsyncLocalStorage();
const pieces = new Pieces();
let lastQuestion = 0;

function log(stream, chunk) {
  const call = calls.get(current.getStore());
  const text = typeof chunk === 'string' ? chunk : Buffer.from(chunk).toString('utf8');
  const budget = call ?? log;
  const room = LOG_CHARACTERS_PER_CALL_MAX - (budget.logged ?? 0);
  budget.logged = (budget.logged ?? 0) + text.length;
  if (room > 0) {
    send({ t: 'log', call: current.getStore() ?? null, stream, text: text.slice(0, room) });
  }
}

/** Whatever pieces and their libraries print becomes frames, so that it never looks like one. */
function redirectOutput() {
  for (const stream of ['stdout', 'stderr']) {
    process[stream].write = (chunk, encoding, done) => {
      log(stream, chunk);
      const callback = typeof encoding === 'function' ? encoding : done;
      if (callback) {
        process.nextTick(callback);
      }
      return true;
    };
  }
}

/** Asks Java something on behalf of a call. */
function ask(call, method, params) {
  const id = `h${++lastQuestion}`;
  return new Promise((resolve, reject) => {
    asked.set(id, { resolve, reject });
    send({ t: 'ctx', id, call, method, params: params ?? {} });
  });
}

function answered(frame) {
  const waiting = asked.get(frame.id);
  asked.delete(frame.id);
  if (!waiting) {
    return;
  }
  if (!frame.error) {
    waiting.resolve(frame.value ?? null);
    return;
  }
  const error = new Error(frame.error.message);
  error.name = frame.error.name || 'Error';
  error.class = frame.error.class;
  waiting.reject(error);
}

/** Node.js opens a file for this, which fails where code has left no descriptor. */
function memoryUsage() {
  try {
    return process.memoryUsage();
  } catch {
    return {};
  }
}

async function perform(frame) {
  const started = process.hrtime.bigint();
  const hooks = { type: 'none', tags: [], listeners: [] };
  const finish = (fields) => {
    if (calls.has(frame.id)) {
      const ms = Number(process.hrtime.bigint() - started) / 1e6;
      // What cannot be written as JSON, or is too large, throws here: then the call is still open and fails.
      const { rss, heapUsed } = memoryUsage();
      send({ t: 'result', id: frame.id, ...fields, ms, rss, heapUsed });
      calls.delete(frame.id);
    }
  };
  calls.set(frame.id, { finish });
  try {
    if (frame.op === 'code') {
      const value = await runCode(frame);
      const messages = losses(value);
      for (let at = 0; at < messages.length; at++) {
        log('stderr', `${messages[at]}\n`);
      }
      finish({ ok: true, value, hooks });
      return;
    }
    const operation = operations[frame.op];
    if (!operation) {
      throw Object.assign(new Error(`unknown operation ${frame.op}`), { class: 'ENGINE' });
    }
    const piece = await pieces.load(frame.piece);
    const pending = [];
    const value = await operation(piece, frame, {
      hooks,
      pending,
      ask: (method, params) => ask(frame.id, method, params),
    });
    await Promise.all(pending);
    // What was left to fail unseen fails now, and shows in the log of its own call.
    await new Promise(setImmediate);
    const lost = OF_FLOWS.has(frame.op) ? losses(value, true) : [];
    if (lost.length > 0) hooks.losses = lost;
    finish({ ok: true, value, hooks });
  } catch (error) {
    finish({ ok: false, error: describeError(error) });
  }
}

/** An error that nobody caught ends the call it belongs to; after the call it is reported, and the host replaced. */
function escaped(error, fatal) {
  const id = current.getStore() ?? null;
  const call = calls.get(id);
  if (call && fatal) {
    call.finish({ ok: false, error: describeError(error) });
  } else {
    send({ t: 'late', call: id, error: describeError(error) });
  }
}

/** A process whose guards are not in place makes no calls: it ends with the reason. */
function guardNetwork(network) {
  try {
    installNetworkGuard(network);
  } catch (error) {
    fs.writeSync(2, `the guard of the network cannot be installed: ${error?.stack}\n`);
    exit(70);
  }
}

function receive(frame) {
  switch (frame.t) {
    case 'setup':
      guardNetwork(frame.network);
      break;
    case 'call':
      // Java may make a call again elsewhere as long as it has not begun.
      send({ t: 'begun', id: frame.id });
      current.run(frame.id, () => void perform(frame));
      break;
    case 'ctxResult':
      answered(frame);
      break;
    default:
      exit(64);
  }
}

redirectOutput();
installProcessGuard();
installEngineGuard();
installUserName();
forgetHost();
process.on('uncaughtException', (error) => escaped(error, true));
process.on('unhandledRejection', (error) => escaped(error, false));
process.stdin.on('data', lineReader((line) => receive(JSON.parse(line))));
process.stdin.on('end', () => exit(0));
process.stdin.on('error', () => exit(0));
send({ t: 'ready', pid: process.pid, node: process.version, protocol: PROTOCOL_VERSION });
