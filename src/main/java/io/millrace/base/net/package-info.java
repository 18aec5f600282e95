/**
 * The one guarded way out: every HTTP call to a host that this server does not own.
 *
 * <p>A name is resolved, its addresses are judged, and the connection is pinned to an address that passed; every
 * redirect starts over (contract admin-api 1.15). Knows nothing of modules, flows or persistence, and no room opens an
 * HTTP connection of its own. What speaks another protocol asks {@link io.millrace.base.net.HostGuard} where it may connect
 * to. Start reading at {@link io.millrace.base.net.OutboundHttp}.
 */
package io.millrace.base.net;
