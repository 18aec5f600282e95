'use strict';

const TEXT_MAX = 16000;
const DEPTH_MAX = 6;
const ENTRIES_MAX = 200;

/**
 * A copy that JSON can carry: bounded, without cycles, functions and getters that throw (contract pieces 8.1).
 */
function safeCopy(value, depth = 0, seen = new Set()) {
  if (typeof value === 'string') {
    return value.slice(0, TEXT_MAX);
  }
  if (typeof value === 'bigint') {
    return String(value);
  }
  if (value === null || typeof value !== 'object') {
    return typeof value === 'function' || typeof value === 'symbol' ? undefined : value;
  }
  if (depth >= DEPTH_MAX || seen.has(value)) {
    return undefined;
  }
  if (value instanceof Date || value instanceof URL) {
    return String(value instanceof Date && !isNaN(value) ? value.toISOString() : value);
  }
  if (Buffer.isBuffer(value) || ArrayBuffer.isView(value)) {
    return `<${value.byteLength} bytes>`;
  }
  seen.add(value);
  const copy = Array.isArray(value)
    ? value.slice(0, ENTRIES_MAX).map((item) => safeCopy(item, depth + 1, seen))
    : copyOfObject(value, depth, seen);
  seen.delete(value);
  return copy;
}

function copyOfObject(object, depth, seen) {
  const source = typeof object.toJSON === 'function' ? (read(() => object.toJSON()) ?? object) : object;
  if (source === null || typeof source !== 'object') {
    return safeCopy(source, depth + 1, seen);
  }
  const copy = {};
  for (const key of Object.keys(source).slice(0, ENTRIES_MAX)) {
    const entry = safeCopy(read(() => source[key]), depth + 1, seen);
    if (entry !== undefined) {
      copy[key] = entry;
    }
  }
  return copy;
}

function read(getter) {
  try {
    return getter();
  } catch {
    return undefined;
  }
}

/** What a thrown value without a message reads as: a list as its items with commas between, as JavaScript has it. */
function messageOf(thrown) {
  return Array.isArray(thrown) ? read(() => String(thrown).slice(0, TEXT_MAX)) || 'Unknown error' : textOf(thrown);
}

/** Whatever was thrown, as a frame carries it: name, message, class, and what an HTTP client knew. */
function describeError(thrown) {
  if (thrown === null || (typeof thrown !== 'object' && typeof thrown !== 'function')) {
    const message = thrown === null || thrown === undefined ? '' : String(thrown);
    return { name: 'Error', message: message === '' ? 'Unknown error' : message, class: 'USER' };
  }
  const field = (name) => read(() => thrown[name]);
  const type = read(() => thrown.constructor && thrown.constructor.name);
  const name = field('name');
  const message = field('message');
  const error = {
    name: String(name && name !== 'Error' ? name : (type ?? 'Error')),
    message: typeof message === 'string' && message !== '' ? message.slice(0, TEXT_MAX) : messageOf(thrown),
    class: field('class') === 'ENGINE' ? 'ENGINE' : 'USER',
  };
  const stack = field('stack');
  if (typeof stack === 'string') {
    error.stack = stack.slice(0, TEXT_MAX);
  }
  addExchange(error, field);
  return error;
}

function addExchange(error, field) {
  const response = field('response');
  const request = field('request');
  const config = field('config');
  if (response && typeof response === 'object') {
    error.status = safeCopy(read(() => response.status));
    error.responseBody = safeCopy(read(() => response.body ?? response.data));
    error.responseHeaders = safeCopy(read(() => response.headers));
  } else if (Number.isInteger(field('status'))) {
    error.status = field('status');
    error.responseBody = safeCopy(field('body') ?? field('error'));
    error.responseHeaders = safeCopy(field('headers'));
  }
  if (error.status !== undefined) {
    error.requestBody = safeCopy(read(() => request && request.body) ?? read(() => config && config.data));
    error.requestUrl = safeCopy(read(() => config && config.url) ?? read(() => request && request.url));
    error.requestMethod = safeCopy(read(() => config && config.method) ?? read(() => request && request.method));
  }
}

function textOf(thrown) {
  try {
    const copy = safeCopy(thrown);
    const text = JSON.stringify(copy);
    return text && text !== '{}' ? text.slice(0, TEXT_MAX) : 'Unknown error';
  } catch {
    return 'Unknown error';
  }
}

module.exports = { describeError, safeCopy };
