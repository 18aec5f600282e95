'use strict';

const fs = require('node:fs');
const { Console } = require('node:console');
const { createRequire, isBuiltin, SourceMap } = require('node:module');
const vm = require('node:vm');

const MAP_MARK = '//# sourceMappingURL=data:application/json;base64,';
const PROGRAMS_MAX = 32;
/** What code sees as its own file: the real one lies in a folder of the server. */
const SHOWN_FOLDER = '/code';
const SHOWN_FILE = `${SHOWN_FOLDER}/code.js`;
/** Programs by file, compiled; a file never changes. The oldest goes first. */
const programs = new Map();

/**
 * Runs the code of a step: its file is read once, its modules are made anew for each call, so that nothing of one call is
 * found by the next but what it puts into the global object. Processes are never shared between projects.
 */
async function runCode({ program: file, inputs }) {
  const program = programs.get(file) ?? remember(file);
  const module = { exports: {} };
  // Counters, timers and groups of a console are of one call.
  const console = new Console({ stdout: process.stdout, stderr: process.stderr });
  try {
    program.run(module.exports, module, requireFor(file), console, SHOWN_FILE, SHOWN_FOLDER);
    const exported = await module.exports;
    const code = [exported?.code, exported?.default, exported?.default?.code, exported].find(
      (found) => typeof found === 'function',
    );
    if (!code) {
      throw new TypeError('The code must export a function named code');
    }
    return await code(inputs);
  } catch (error) {
    throw located(error, program);
  }
}

function remember(file) {
  const text = fs.readFileSync(file, 'utf8');
  const end = text.lastIndexOf(MAP_MARK);
  const source = end < 0 ? text : text.slice(0, end);
  const names = ['exports', 'module', 'require', 'console', '__filename', '__dirname'];
  const program = {
    run: vm.compileFunction(source, names, { filename: SHOWN_FILE }),
    map: end < 0 ? undefined : text.slice(end + MAP_MARK.length).trim(),
  };
  if (programs.size >= PROGRAMS_MAX) {
    programs.delete(programs.keys().next().value);
  }
  programs.set(file, program);
  return program;
}

/** Loads modules for code, and names none of the server's folders: neither in an error nor as the place of a module. */
function requireFor(file) {
  const real = createRequire(file);
  const shown = (load, id) => {
    try {
      return load(id);
    } catch (error) {
      throw error?.code === 'MODULE_NOT_FOUND' && Array.isArray(error.requireStack) ? notFound(id) : error;
    }
  };
  const require = (id) => shown(real, id);
  require.resolve = (id) => {
    if (!isBuiltin(id)) {
      shown(real.resolve, id);
    }
    return id;
  };
  require.resolve.paths = () => null;
  require.cache = Object.create(null);
  require.main = undefined;
  return require;
}

function notFound(id) {
  return Object.assign(new Error(`Cannot find module '${id}'`), { code: 'MODULE_NOT_FOUND', requireStack: [] });
}

/** The error with the places of its author's source in its stack. */
function located(error, program) {
  if (!(error instanceof Error) || program.map === undefined || typeof error.stack !== 'string') {
    return error;
  }
  try {
    program.places ??= new SourceMap(JSON.parse(Buffer.from(program.map, 'base64').toString('utf8')));
    const lines = error.stack.split('\n').flatMap((line) => placed(line, program.places));
    Object.defineProperty(error, 'stack', { value: lines.join('\n'), configurable: true, writable: true });
  } catch {
    // An error that cannot be written to, or a map that cannot be read, shows the places of the compiled file.
  }
  return error;
}

/** A line of a stack in the author's words; lines of the host and the engine say nothing to him. */
function placed(line, places) {
  if (!/^\s+at /.test(line)) {
    return [line];
  }
  const found = line.lastIndexOf(`${SHOWN_FILE}:`);
  const numbers = found < 0 ? null : /^(\d+):(\d+)(.*)$/.exec(line.slice(found + SHOWN_FILE.length + 1));
  if (!numbers) {
    return [];
  }
  const entry = places.findEntry(Number(numbers[1]) - 1, Number(numbers[2]) - 1);
  return entry?.originalSource === undefined
    ? []
    : [`${line.slice(0, found)}${entry.originalSource}:${entry.originalLine + 1}:${entry.originalColumn + 1}${numbers[3]}`];
}

module.exports = { runCode };
