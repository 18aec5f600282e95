'use strict';

const fs = require('node:fs');
const { Console } = require('node:console');
const { createRequire, SourceMap } = require('node:module');
const path = require('node:path');
const vm = require('node:vm');

const MAP_MARK = '//# sourceMappingURL=data:application/json;base64,';
const PROGRAMS_MAX = 32;
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
    program.run(module.exports, module, createRequire(file), console, file, path.dirname(file));
    const exported = await module.exports;
    const code = [exported?.code, exported?.default, exported?.default?.code, exported].find(
      (found) => typeof found === 'function',
    );
    if (!code) {
      throw new TypeError('The code must export a function named code');
    }
    return await code(inputs);
  } catch (error) {
    throw located(error, file, program);
  }
}

function remember(file) {
  const text = fs.readFileSync(file, 'utf8');
  const end = text.lastIndexOf(MAP_MARK);
  const source = end < 0 ? text : text.slice(0, end);
  const names = ['exports', 'module', 'require', 'console', '__filename', '__dirname'];
  const program = {
    run: vm.compileFunction(source, names, { filename: file }),
    map: end < 0 ? undefined : text.slice(end + MAP_MARK.length).trim(),
  };
  if (programs.size >= PROGRAMS_MAX) {
    programs.delete(programs.keys().next().value);
  }
  programs.set(file, program);
  return program;
}

/** The error with the places of its author's source in its stack. */
function located(error, file, program) {
  if (!(error instanceof Error) || program.map === undefined || typeof error.stack !== 'string') {
    return error;
  }
  try {
    program.places ??= new SourceMap(JSON.parse(Buffer.from(program.map, 'base64').toString('utf8')));
    const lines = error.stack.split('\n').flatMap((line) => placed(line, file, program.places));
    Object.defineProperty(error, 'stack', { value: lines.join('\n'), configurable: true, writable: true });
  } catch {
    // An error that cannot be written to, or a map that cannot be read, shows the places of the compiled file.
  }
  return error;
}

/** A line of a stack in the author's words; lines of the host and the engine say nothing to him. */
function placed(line, file, places) {
  if (!/^\s+at /.test(line)) {
    return [line];
  }
  const found = line.lastIndexOf(`${file}:`);
  const numbers = found < 0 ? null : /^(\d+):(\d+)(.*)$/.exec(line.slice(found + file.length + 1));
  if (!numbers) {
    return [];
  }
  const entry = places.findEntry(Number(numbers[1]) - 1, Number(numbers[2]) - 1);
  return entry?.originalSource === undefined
    ? []
    : [`${line.slice(0, found)}${entry.originalSource}:${entry.originalLine + 1}:${entry.originalColumn + 1}${numbers[3]}`];
}

module.exports = { runCode };
