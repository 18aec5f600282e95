'use strict';

/** The error of a connection to an address that may not be reached. */
function blocked(host, address) {
  return marked(new Error(`Blocked a request to ${host} (${address}): private addresses cannot be reached`));
}

/** The error of a use of the network that no piece has. */
function refusal(attempt, reason) {
  return marked(new Error(`Blocked an attempt ${attempt}: ${reason}`));
}

function marked(error) {
  error.name = 'SSRFBlockedError';
  error.code = 'ESSRFBLOCKED';
  return error;
}

module.exports = { blocked, refusal };
