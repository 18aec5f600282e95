/**
 * Guarded outbound HTTP: every call to a host that this server does not own.
 *
 * <p>A name is resolved, its addresses are judged, and the connection is pinned to an address that passed; every redirect
 * starts over (contract admin-api 1.15). Knows nothing of modules, flows or persistence, and no module opens an HTTP
 * connection by itself. Clients of other protocols get permitted addresses from {@link io.millrace.base.net.HostGuard}. Start
 * reading at {@link io.millrace.base.net.OutboundHttp}.
 */
package io.millrace.base.net;
