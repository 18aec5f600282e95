'use strict';

const os = require('node:os');

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
    process[name] = refuse('to reach below the engine');
  }
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

module.exports = { installProcessGuard, installUserName };
