/*
 * What user code finds besides the language itself, and the handful of functions that drive one call.
 * Evaluated in every new context, before anybody waits for it; receives the console's sink, what reads the
 * rarely needed part and what finds values without a JSON form, and answers the functions that the host
 * calls. A realm that calls share begins each of them with begin(): what the last one left here is gone.
 * Nothing here is a boundary: the limits hold from outside, whatever the code does to these objects.
 */
(function (sink, readUrl, losses) {
  'use strict';

  const { parse, stringify } = JSON;
  const now = performance.now.bind(performance);
  const define = (name, value) =>
    Object.defineProperty(globalThis, name, { value, writable: true, configurable: true, enumerable: false });

  /* ---- console ---- */

  const plain = (key, value) => (typeof value === 'bigint' ? `${value}n` : value);

  const show = (value) => {
    if (typeof value === 'string') return value;
    if (typeof value === 'bigint') return `${value}n`;
    if (typeof value === 'function') return `[Function: ${value.name || 'anonymous'}]`;
    if (value instanceof Error) return `${value.name}: ${value.message}`;
    if (value instanceof Map) return `Map(${value.size}) ${show([...value])}`;
    if (value instanceof Set) return `Set(${value.size}) ${show([...value])}`;
    if (typeof value !== 'object' || value === null) return String(value);
    try {
      return stringify(value, plain);
    } catch {
      return Object.prototype.toString.call(value);
    }
  };

  let textMax = 0;
  let muted = false;
  let indent = '';
  const print = (level) => (...values) => {
    if (muted) return;
    const line = values.map(show).join(' ');
    const text = indent === '' ? line : indent + line.replace(/\n/g, `\n${indent}`);
    muted = !sink(level, text.length > textMax ? text.slice(0, textMax) : text);
  };
  const log = print('LOG');
  const warn = print('WARN');

  const TABLE_ROWS_MAX = 1000;
  const TABLE_COLUMNS_MAX = 100;
  const INDENT_MAX = 40;

  const counts = new Map();
  const begun = new Map();
  const labelOf = (label) => (label === undefined ? 'default' : String(label));
  const tellTime = (label, values) => {
    if (!begun.has(label)) return warn(`No such label '${label}'`);
    log(`${label}: ${(now() - begun.get(label)).toFixed(3)}ms`, ...values);
  };

  const drawn = (rows) => {
    const widths = rows[0].map((_, column) => Math.max(...rows.map((row) => row[column].length)) + 2);
    const line = (left, middle, right) => left + widths.map((width) => '─'.repeat(width)).join(middle) + right;
    const cells = (row) => `│${row.map((cell, column) => ` ${cell}`.padEnd(widths[column])).join('│')}│`;
    const [head, ...body] = rows.map(cells);
    return [line('┌', '┬', '┐'), head, line('├', '┼', '┤'), ...body, line('└', '┴', '┘')].join('\n');
  };
  const table = (data, columns) => {
    if (muted) return;
    if (typeof data !== 'object' || data === null) return log(data);
    const entries =
      data instanceof Map || data instanceof Set
        ? [...data].map((value, index) => [index, value])
        : Object.entries(data);
    const isRow = (value) => typeof value === 'object' && value !== null;
    const shown = entries.slice(0, TABLE_ROWS_MAX);
    const named = Array.isArray(columns)
      ? columns.map(String)
      : [...new Set(shown.flatMap(([, value]) => (isRow(value) ? Object.keys(value) : [])))].slice(0, TABLE_COLUMNS_MAX);
    const hasValues = shown.some(([, value]) => !isRow(value));
    const rows = shown.map(([index, value]) => [
      String(index),
      ...named.map((name) => (isRow(value) && name in value ? show(value[name]) : '')),
      ...(hasValues ? [isRow(value) ? '' : show(value)] : []),
    ]);
    log(drawn([['(index)', ...named, ...(hasValues ? ['Values'] : [])], ...rows]));
  };
  const group = (...values) => {
    if (values.length > 0) log(...values);
    if (indent.length < INDENT_MAX) indent += '  ';
  };
  const silent = () => {};
  define('console', {
    log,
    info: print('INFO'),
    debug: print('DEBUG'),
    warn,
    error: print('ERROR'),
    trace: print('DEBUG'),
    dir: (value) => log(value),
    dirxml: log,
    table,
    group,
    groupCollapsed: group,
    groupEnd: () => {
      indent = indent.slice(2);
    },
    time: (label) => {
      const name = labelOf(label);
      if (begun.has(name)) return warn(`Label '${name}' already exists`);
      begun.set(name, now());
    },
    timeLog: (label, ...values) => tellTime(labelOf(label), values),
    timeEnd: (label) => {
      const name = labelOf(label);
      tellTime(name, []);
      begun.delete(name);
    },
    count: (label) => {
      const name = labelOf(label);
      counts.set(name, (counts.get(name) ?? 0) + 1);
      log(`${name}: ${counts.get(name)}`);
    },
    countReset: (label) => {
      counts.delete(labelOf(label));
    },
    assert: (holds, ...values) => {
      if (holds) return;
      if (values.length === 0) return warn('Assertion failed');
      if (typeof values[0] === 'string') warn(`Assertion failed: ${values[0]}`, ...values.slice(1));
      else warn('Assertion failed:', ...values);
    },
    clear: silent,
    timeStamp: silent,
    profile: silent,
    profileEnd: silent,
  });

  /* ---- timers: kept in order of their due time; the host waits and fires them one by one ---- */

  let timers = [];
  let armed = new Map();
  let timerId = 0;

  const arm = (timer) => {
    let low = 0;
    let high = timers.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (timers[middle].due <= timer.due) low = middle + 1;
      else high = middle;
    }
    timers.splice(low, 0, timer);
    armed.set(timer.id, timer);
  };
  const schedule = (repeats) => (callback, delay, ...values) => {
    if (typeof callback !== 'function') throw new TypeError('A timer needs a function to call');
    const wait = Math.min(Math.max(Number(delay) || 0, 1), 2147483647);
    arm({ id: ++timerId, due: now() + wait, callback, values, wait, repeats });
    return timerId;
  };
  const cancel = (id) => {
    armed.delete(id);
  };
  const skipCancelled = () => {
    while (timers.length > 0 && armed.get(timers[0].id) !== timers[0]) timers.shift();
  };
  define('setTimeout', schedule(false));
  define('setInterval', schedule(true));
  define('setImmediate', (callback, ...values) => setTimeout(callback, 0, ...values));
  define('clearTimeout', cancel);
  define('clearInterval', cancel);
  define('clearImmediate', cancel);
  define('queueMicrotask', (callback) => {
    if (typeof callback !== 'function') throw new TypeError('queueMicrotask needs a function to call');
    (async () => {
      await undefined;
      try {
        callback();
      } catch (error) {
        threw(error);
      }
    })();
  });

  /* ---- base64 and structuredClone ---- */

  const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';
  // The name of the DOMException that Node.js throws.
  const invalidCharacter = (message) => {
    const error = new Error(message);
    error.name = 'InvalidCharacterError';
    return error;
  };
  define('btoa', (input) => {
    const text = String(input);
    const parts = [];
    for (let at = 0; at < text.length; at += 3) {
      const a = text.charCodeAt(at);
      const b = at + 1 < text.length ? text.charCodeAt(at + 1) : 0;
      const c = at + 2 < text.length ? text.charCodeAt(at + 2) : 0;
      if (a > 255 || b > 255 || c > 255) throw invalidCharacter('btoa: the text holds a character beyond Latin-1');
      parts.push(
        alphabet[a >> 2] +
          alphabet[((a & 3) << 4) | (b >> 4)] +
          (at + 1 < text.length ? alphabet[((b & 15) << 2) | (c >> 6)] : '=') +
          (at + 2 < text.length ? alphabet[c & 63] : '='),
      );
    }
    return parts.join('');
  });
  define('atob', (input) => {
    let text = String(input).replace(/[\t\n\f\r ]/g, '');
    if (text.length % 4 === 0) text = text.replace(/==?$/, '');
    if (text.length % 4 === 1 || /[^A-Za-z0-9+/]/.test(text)) throw invalidCharacter('atob: the text is not base64');
    const parts = [];
    let bits = 0;
    let held = 0;
    for (let at = 0; at < text.length; at++) {
      held = (held << 6) | alphabet.indexOf(text[at]);
      bits += 6;
      if (bits >= 8) {
        bits -= 8;
        parts.push(String.fromCharCode((held >> bits) & 255));
        held &= (1 << bits) - 1;
      }
    }
    return parts.join('');
  });

  const clone = (value, seen) => {
    if (typeof value === 'function' || typeof value === 'symbol') {
      throw new TypeError(`structuredClone: a ${typeof value} cannot be cloned`);
    }
    if (typeof value !== 'object' || value === null) return value;
    if (seen.has(value)) return seen.get(value);
    const keep = (copy) => (seen.set(value, copy), copy);
    if (value instanceof Date) return keep(new Date(value.getTime()));
    if (value instanceof RegExp) return keep(new RegExp(value.source, value.flags));
    if (value instanceof ArrayBuffer) return keep(value.slice(0));
    if (value instanceof DataView) return keep(new DataView(value.buffer.slice(0), value.byteOffset, value.byteLength));
    if (ArrayBuffer.isView(value)) return keep(new value.constructor(value));
    if (value instanceof Error) return keep(Object.assign(new value.constructor(value.message), { stack: value.stack }));
    if (value instanceof Map) {
      const copy = keep(new Map());
      value.forEach((item, key) => copy.set(clone(key, seen), clone(item, seen)));
      return copy;
    }
    if (value instanceof Set) {
      const copy = keep(new Set());
      value.forEach((item) => copy.add(clone(item, seen)));
      return copy;
    }
    const copy = keep(Array.isArray(value) ? new Array(value.length) : {});
    for (const key of Object.keys(value)) {
      // An assignment to __proto__ would set the prototype, and lose the field.
      Object.defineProperty(copy, key, { value: clone(value[key], seen), writable: true, enumerable: true, configurable: true });
    }
    return copy;
  };
  define('structuredClone', (value) => clone(value, new Map()));

  /* ---- text in one byte per character, which the engine's decoder does not know (WHATWG Encoding, windows-1252) ---- */

  const EngineDecoder = TextDecoder;
  const ONE_BYTE_LABELS = new Set(['ansi_x3.4-1968', 'ascii', 'cp1252', 'cp819', 'csisolatin1', 'ibm819', 'iso-8859-1',
    'iso-ir-100', 'iso8859-1', 'iso88591', 'iso_8859-1', 'iso_8859-1:1987', 'l1', 'latin1', 'us-ascii', 'windows-1252',
    'x-cp1252']);
  /* Characters of the bytes 0x80 to 0x9f; the other bytes stand for the character of the same number. */
  const HIGH = '\u20ac\x81\u201a\u0192\u201e\u2026\u2020\u2021\u02c6\u2030\u0160\u2039\u0152\x8d\u017d\x8f\x90'
    + '\u2018\u2019\u201c\u201d\u2022\u2013\u2014\u02dc\u2122\u0161\u203a\u0153\x9d\u017e\u0178';
  const oneByteText = (input) => {
    if (input === undefined) return '';
    const bytes = ArrayBuffer.isView(input)
      ? new Uint8Array(input.buffer, input.byteOffset, input.byteLength)
      : new Uint8Array(input);
    const parts = [];
    for (let start = 0; start < bytes.length; start += 8192) {
      parts.push(String.fromCharCode(...bytes.subarray(start, start + 8192)));
    }
    return parts.join('').replace(/[\x80-\x9f]/g, (character) => HIGH[character.charCodeAt(0) - 0x80]);
  };
  const isOneByte = (label) => ONE_BYTE_LABELS.has(String(label).trim().toLowerCase());
  define('TextDecoder', class TextDecoder {
    #decoder;
    #options;
    constructor(label = 'utf-8', options = {}) {
      this.#options = { fatal: Boolean(options?.fatal), ignoreBOM: Boolean(options?.ignoreBOM) };
      this.#decoder = isOneByte(label) ? null : new EngineDecoder(label, this.#options);
    }
    get encoding() { return this.#decoder === null ? 'windows-1252' : this.#decoder.encoding; }
    get fatal() { return this.#options.fatal; }
    get ignoreBOM() { return this.#options.ignoreBOM; }
    decode(input, options) {
      return this.#decoder === null ? oneByteText(input) : this.#decoder.decode(input, options);
    }
  });

  /* ---- addresses: read when first used, because most calls do without ---- */

  for (const name of ['URL', 'URLSearchParams']) {
    Object.defineProperty(globalThis, name, {
      configurable: true,
      enumerable: false,
      get() {
        const classes = readUrl()();
        Object.keys(classes).forEach((found) => define(found, classes[found]));
        return classes[name];
      },
      set(value) {
        define(name, value);
      },
    });
  }

  /* ---- outcome of the call ---- */

  const hints = {
    fetch: 'code steps have no network access; use the HTTP piece',
    XMLHttpRequest: 'code steps have no network access; use the HTTP piece',
    WebSocket: 'code steps have no network access',
    process: 'code steps have no access to the process and its environment',
    Buffer: 'use TextEncoder, TextDecoder, atob and btoa',
    require: 'Node modules and npm packages are not available in code steps',
    Deno: 'code steps run in a sandbox without Deno',
    Bun: 'code steps run in a sandbox without Bun',
  };

  const bounded = (value) => {
    const shown = stringify(value, plain);
    return shown === undefined || shown.length <= 20000 ? value : shown.slice(0, 20000);
  };

  const FRAME = /^\s*at .*?code\.m?js:(\d+):(\d+)\)?$/;
  const PLACES_MAX = 10;
  let columnsBefore = 0;

  /* Positions in the program, the innermost first. The message may contain lines that look like frames. */
  const placesOf = (error) => {
    const { stack, message } = error;
    const places = [];
    const start = stack.indexOf(message);
    const lines = stack.slice(start < 0 ? 0 : start + message.length).split('\n');
    for (let at = 0; at < lines.length && places.length < PLACES_MAX; at++) {
      const found = FRAME.exec(lines[at]);
      if (found !== null) {
        const line = Number(found[1]);
        places[places.length] = [line, Number(found[2]) - (line === 1 ? columnsBefore : 0)];
      }
    }
    return places;
  };

  const describe = (error) => {
    const told = {};
    try {
      if (error !== null && (typeof error === 'object' || typeof error === 'function')) {
        if (typeof error.name === 'string') told.name = error.name.slice(0, 200);
        if (Array.isArray(error)) told.message = String(error).slice(0, 20000);
        else if (typeof error.message === 'string') told.message = error.message.slice(0, 20000);
        const absent = told.name === 'ReferenceError' && /^(\w+) is not defined$/.exec(told.message);
        if (absent && Object.hasOwn(hints, absent[1])) told.message += `: ${hints[absent[1]]}`;
        if (!(error instanceof Error) || Object.keys(error).length > 0) {
          told.raw = String(stringify(error, plain)).slice(0, 20000);
          if (!told.message && typeof error === 'object' && !Array.isArray(error) && told.raw !== '{}') told.message = told.raw;
        }
        const answer = error.response;
        if (answer !== null && typeof answer === 'object' && Number.isInteger(answer.status)) {
          told.response = {
            status: answer.status,
            body: bounded(answer.body === undefined ? answer.data : answer.body),
            headers: bounded(answer.headers),
          };
        }
        if (error instanceof Error && typeof error.stack === 'string') {
          const places = placesOf(error);
          if (places.length > 0) told.places = places;
        }
      } else if (error !== undefined && error !== null) {
        told.message = String(error).slice(0, 20000);
      }
    } catch {
      /* A hostile getter or an unprintable value: what was read until here is told. */
    }
    return stringify(told);
  };

  let state = 0;
  let text;
  const threw = (error) => {
    if (state !== 0) return;
    text = describe(error);
    state = 2;
  };
  const settle = async (produce, lossesOf) => {
    try {
      const value = await produce();
      const json = stringify(value);
      if (state !== 0) return;
      const messages = lossesOf(value);
      // Not by the console: the code may have changed the methods that it uses.
      for (let at = 0; at < messages.length && !muted; at++) {
        muted = messages[at].length <= textMax && !sink('WARN', messages[at]);
      }
      text = json;
      state = 1;
    } catch (error) {
      threw(error);
    }
  };

  const begin = (lineMax, before = 0) => {
    textMax = lineMax;
    columnsBefore = before;
    muted = false;
    indent = '';
    counts.clear();
    begun.clear();
    timers = [];
    armed = new Map();
    timerId = 0;
    state = 0;
    text = undefined;
  };
  const absentModule = Object.freeze((name) => {
    throw new Error(`Cannot find module '${name}': ${hints.require}`);
  });
  const callable = (exported) => {
    const found = [exported?.code, exported?.default, exported?.default?.code, exported].find(
      (candidate) => typeof candidate === 'function',
    );
    if (!found) throw new TypeError('The code must export a function named code');
    return found;
  };
  const flattenNestedKeys = (value, keys) => {
    if (value === undefined || value === null) return [];
    if (keys.length === 0) return typeof value === 'object' ? [] : [value];
    if (Array.isArray(value)) return value.flatMap((item) => flattenNestedKeys(item, keys));
    return typeof value === 'object' ? flattenNestedKeys(value[keys[0]], keys.slice(1)) : [];
  };

  return {
    commonJs(lineMax, inputs, body, before) {
      begin(lineMax, before);
      settle(() => {
        const module = { exports: {} };
        body.call(undefined, module.exports, module, absentModule);
        return callable(module.exports)(parse(inputs));
      }, losses);
    },
    module(lineMax, inputs, exported) {
      begin(lineMax);
      settle(() => callable(exported)(parse(inputs)), losses);
    },
    expression(lineMax, inputs, source) {
      begin(lineMax);
      define('flattenNestedKeys', flattenNestedKeys);
      Object.entries(parse(inputs)).forEach(([name, value]) => define(name, value));
      settle(() => (0, eval)(`(${source}\n)`), () => []);
    },
    /** 0 while the call goes on, 1 when it returned, 2 when it threw. */
    state: () => state,
    /** JSON text of the returned value (undefined for none) or of the error's description. */
    text: () => text,
    /** Milliseconds until the next timer is due; -1 when none is armed. */
    delay() {
      skipCancelled();
      return timers.length === 0 ? -1 : Math.max(0, Math.ceil(timers[0].due - now()));
    },
    /** Calls the callback of the first timer that is due, if any. */
    fire() {
      skipCancelled();
      if (timers.length === 0 || timers[0].due > now()) return;
      const timer = timers.shift();
      armed.delete(timer.id);
      if (timer.repeats) arm({ ...timer, due: now() + timer.wait });
      try {
        timer.callback(...timer.values);
      } catch (error) {
        threw(error);
      }
    },
  };
})
