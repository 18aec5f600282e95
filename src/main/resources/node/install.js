'use strict';

/**
 * Loaded into the package manager before its own code: what it fetches for pieces, it fetches from where pieces may
 * connect to. Which addresses a package names is not known before it is read.
 */
const { installNetworkGuard } = require('./network');
const { hideInterfaces } = require('./processes');

// The standard streams are sockets of a kind that is refused from here on.
void [process.stdin, process.stdout, process.stderr];
installNetworkGuard(JSON.parse(process.env.MILLRACE_NETWORK));
hideInterfaces();
delete process.env.MILLRACE_NETWORK;
