/**
 * Programs that others wrote, as clients and peers of a running server: the MCP SDK, a strict OAuth client, the
 * Socket.IO client, an OpenID and a SAML provider, and what two directories send. {@code scripts/interop} installs and runs
 * them, after the peers that mean harm: those are tests of the modules that meet them, with the tag {@code hostile}.
 */
package io.millrace.interop;
