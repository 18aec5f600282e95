/*
 * Finds the parts of a returned value that its JSON text does not hold: one message each, for the log of the step. Node.js loads
 * this file as a module, the embedded engine evaluates it with the prelude. It reads no accessors, because their code must not run
 * twice, and looks at a limited number of values. Values of packages are instances with functions by habit, which are no
 * loss: only containers and numbers without JSON are reported for them.
 */
module.exports = (() => {
  'use strict';

  const { getOwnPropertyDescriptor, getPrototypeOf, keys } = Object;
  const { isArray } = Array;
  const { isView } = ArrayBuffer;
  const { isFinite } = Number;
  const { toStringTag } = Symbol;
  const VALUES_MAX = 1000;
  const DEPTH_MAX = 50;
  const MESSAGES_MAX = 10;
  const KEY_CHARACTERS_MAX = 50;
  const SIMPLE = /^[A-Za-z_$][\w$]*$/;

  const BOXES = [Number, String, Boolean];
  const EMPTIED = [
    [Map, 'a Map becomes {}; return Object.fromEntries(map) or [...map]'],
    [Set, 'a Set becomes {}; return [...set]'],
    [Promise, 'a Promise becomes {}; await it'],
    [Error, 'an Error keeps only its own fields; return its message'],
    [RegExp, 'a RegExp becomes {}; return its source'],
    [ArrayBuffer, 'an ArrayBuffer becomes {}; return Array.from(new Uint8Array(buffer))'],
  ];

  const nameOf = (value) => {
    const name = value[toStringTag] ?? getPrototypeOf(value)?.constructor?.name;
    return typeof name === 'string' && name !== '' ? name.slice(0, KEY_CHARACTERS_MAX) : 'a class';
  };

  const step = (path, key) => {
    const shown = key.length > KEY_CHARACTERS_MAX ? `${key.slice(0, KEY_CHARACTERS_MAX)}…` : key;
    return SIMPLE.test(shown) ? `${path}.${shown}` : `${path}[${JSON.stringify(shown)}]`;
  };

  const isPlain = (value) => {
    const prototype = getPrototypeOf(value);
    return prototype === null || getPrototypeOf(prototype) === null;
  };

  return (root, ofPackage = false) => {
    const messages = [];
    let more = 0;
    let left = VALUES_MAX;

    // The code may have changed methods of lists: none is used for what becomes a line of the log.
    const report = (message) => {
      for (let at = 0; at < messages.length; at++) {
        if (messages[at] === message) {
          return;
        }
      }
      if (messages.length === MESSAGES_MAX) {
        more++;
      } else {
        messages[messages.length] = message;
      }
    };

    const ofMembers = (value, path, depth) => {
      const isList = isArray(value);
      const names = isList ? value : keys(value);
      for (let at = 0; at < names.length && left > 0; at++) {
        const member = getOwnPropertyDescriptor(value, isList ? at : names[at]);
        if (member !== undefined && 'value' in member) {
          visit(member.value, isList ? `${path}[]` : step(path, names[at]), depth + 1, isList);
        }
      }
    };

    const ofObject = (value, path, depth) => {
      if (value instanceof Date && !isFinite(value.getTime())) {
        report(`${path}: an invalid Date becomes null`);
        return;
      }
      if (typeof value.toJSON === 'function' || BOXES.some((box) => value instanceof box)) {
        return;
      }
      const emptied = EMPTIED.find(([type]) => value instanceof type);
      if (emptied !== undefined) {
        report(`${path}: ${emptied[1]}`);
        return;
      }
      if (isView(value)) {
        report(`${path}: ${nameOf(value)} becomes an object with a field for each element; return Array.from(list)`);
        return;
      }
      if (!ofPackage && !isArray(value) && !isPlain(value)) {
        report(`${path}: an instance of ${nameOf(value)} keeps only its own fields; methods, accessors and private fields are left out`);
      }
      if (depth < DEPTH_MAX) {
        ofMembers(value, path, depth);
      }
    };

    const visit = (value, path, depth, isItem) => {
      left--;
      switch (typeof value) {
        case 'number':
          if (!isFinite(value)) {
            report(`${path}: ${value} becomes null`);
          }
          break;
        case 'function':
        case 'symbol':
          if (!ofPackage) {
            report(`${path}: a ${typeof value} ${isItem ? 'becomes null' : 'is left out'}`);
          }
          break;
        case 'object':
          if (value !== null) {
            ofObject(value, path, depth);
          }
          break;
        default:
      }
    };

    try {
      visit(root, 'output', 0, false);
    } catch {
      // A proxy or an accessor of the code throws: what was found until here is reported.
    }
    for (let at = 0; at < messages.length; at++) {
      messages[at] = `JSON cannot hold a value of the output: ${messages[at]}`;
    }
    if (more > 0) {
      messages[messages.length] = `JSON cannot hold a value of the output: output: ${more} more differences`;
    }
    return messages;
  };
})();
