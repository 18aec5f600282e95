'use strict';

const inspector = require('node:inspector');
const inspectorPromises = require('node:inspector/promises');
const nodeModule = require('node:module');
const os = require('node:os');
const v8 = require('node:v8');

/** Functions that change the engine for the whole process, or show memory that is not the code's own. */
const OF_ENGINE = [
  [v8, ['setFlagsFromString', 'writeHeapSnapshot', 'getHeapSnapshot', 'setHeapSnapshotNearHeapLimit', 'takeCoverage', 'stopCoverage', 'queryObjects', 'startCpuProfile', 'startHeapProfile']],
  [inspector, ['open', 'close', 'url', 'waitForDebugger', 'Session', 'Network', 'NetworkResources', 'DOMStorage']],
  [inspectorPromises, ['open', 'close', 'url', 'waitForDebugger', 'Session', 'Network', 'NetworkResources', 'DOMStorage']],
];

/** The only interface that is shown: addresses of the host are not for code. */
const LOOPBACK = Object.freeze({
  address: '127.0.0.1',
  netmask: '255.0.0.0',
  family: 'IPv4',
  mac: '00:00:00:00:00:00',
  internal: true,
  cidr: '127.0.0.1/8',
});

/**
 * Refuses what reaches other processes or the engine below this one. Where the kernel keeps this process from it, too,
 * this only tells it in better words; elsewhere it is all there is.
 */
function installProcessGuard() {
  const refuse = (what) => () => {
    throw refusal(what);
  };
  const signal = process._kill;
  process.kill = (pid, name) => {
    if (name !== 0) {
      throw refusal('to signal a process');
    }
    // Whether there is such a process may be asked.
    if (signal.call(process, pid, 0) !== 0) {
      throw Object.assign(new Error('kill ESRCH'), { code: 'ESRCH', syscall: 'kill' });
    }
    return true;
  };
  const prioritise = os.setPriority;
  os.setPriority = (...args) => {
    if (args.length > 1 && args[0] !== 0 && args[0] !== process.pid) {
      throw refusal('to change the priority of a process');
    }
    return prioritise(0, args.at(-1));
  };
  for (const name of ['_kill', '_debugProcess', '_debugEnd', 'execve']) {
    if (typeof process[name] === 'function') {
      process[name] = refuse('to reach a process');
    }
  }
  for (const name of ['binding', '_linkedBinding']) {
    fix(process, name, refuse('to reach below the engine'));
  }
}

/**
 * Takes from code what changes the engine or describes the host. A flag of V8 that is set at run time ends the memory safety of
 * JavaScript, on which every guard of this process rests; a debugging session reads the closures of the guards.
 */
function installEngineGuard() {
  for (const [holder, names] of OF_ENGINE) {
    for (const name of names.filter((member) => typeof holder[member] !== 'undefined')) {
      fix(holder, name, function refused() {
        throw refusal(`to use ${name} of the engine`);
      });
    }
  }
  hideInterfaces();
  fix(os, 'hostname', () => 'localhost');
  fix(process, 'report', Object.freeze(reportWithoutHost()));
  fix(process, 'mainModule', undefined);
  // The options name folders of the server.
  fix(process, 'execArgv', Object.freeze([]));
  process.argv.splice(1);
  nodeModule.syncBuiltinESMExports();
}

/** The engine would ask the kernel over a socket, which this process cannot make. */
function hideInterfaces() {
  fix(os, 'networkInterfaces', () => ({ lo: [{ ...LOOPBACK }] }));
}

/** Libraries ask a report which C library there is; nothing else of it is theirs. */
function reportWithoutHost() {
  const { glibcVersionRuntime, glibcVersionCompiler } = process.report?.getReport().header ?? {};
  const header = { glibcVersionRuntime, glibcVersionCompiler, nodejsVersion: process.version, arch: process.arch, platform: process.platform };
  const copy = () => ({ header: { ...header }, sharedObjects: [] });
  return {
    getReport: copy,
    writeReport: () => {
      throw refusal('to write a report on the host');
    },
    excludeNetwork: true,
  };
}

/** Removes the host's modules from the cache of the loader, where code would find their exports and their folder. */
function forgetHost() {
  for (const file of Object.keys(nodeModule._cache)) {
    delete nodeModule._cache[file];
  }
  if (require.main) {
    require.main.children = [];
  }
}

function fix(holder, name, value) {
  Object.defineProperty(holder, name, { value, writable: false, configurable: false, enumerable: true });
}

function refusal(what) {
  const error = new Error(`Blocked an attempt ${what}`);
  error.code = 'EPERM';
  return error;
}

/** A user without a name is no error of the piece: some packages ask who they are while they load. */
function installUserName() {
  const userInfo = os.userInfo;
  os.userInfo = (options) => {
    try {
      return userInfo(options);
    } catch (error) {
      if (error.code !== 'ERR_SYSTEM_ERROR') {
        throw error;
      }
      return { uid: process.getuid(), gid: process.getgid(), username: 'piece', homedir: os.homedir(), shell: null };
    }
  };
}

module.exports = { hideInterfaces, installProcessGuard, installEngineGuard, installUserName, forgetHost };
