'use strict';

/**
 * Loaded into the package manager before its own code: what it fetches for pieces, it fetches from where pieces may
 * connect to. Which addresses a package names is not known before it is read.
 */
const { realpathSync } = require('fs');
const { createRequire } = require('module');
const { installNetworkGuard } = require('./network');

/**
 * Where the package manager fetches from when nobody names a registry, by its own word. One that does not say it in this
 * place reaches its registry like any other address: it may not be an inner one.
 */
function ownRegistry() {
  if (process.argv.some((word) => word.startsWith('--registry='))) {
    return [];
  }
  try {
    const { definitions } = createRequire(realpathSync(process.argv[1]))('@npmcli/config/lib/definitions');
    const address = new URL(definitions.registry.default);
    return [`${address.hostname}:${address.port || 443}`];
  } catch (unknown) {
    return [];
  }
}

// The standard streams are sockets of a kind that is refused from here on.
void [process.stdin, process.stdout, process.stderr];
const network = JSON.parse(process.env.MILLRACE_NETWORK);
installNetworkGuard({ ...network, exempt: [...network.exempt, ...ownRegistry()] });
delete process.env.MILLRACE_NETWORK;
