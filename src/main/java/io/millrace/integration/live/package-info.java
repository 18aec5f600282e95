/**
 * Socket.IO channel of a project for open editors (contract flows-and-engine 31).
 *
 * <p>Start reading at {@link io.millrace.integration.live.LiveRoutes}, which gives each web socket a {@code ChannelSession}: it
 * implements the protocol ({@code Packet}), admits only users who may read runs of the project, and performs their requests.
 * Users who edit the same resource see each other through {@code Editors}, across nodes. All members of the project are
 * notified of runs that one member starts. Subscribers of the list of runs receive the ids of changed runs
 * ({@code ChangedRuns}), subscribers of tables those of changed records ({@code ChangedTables}).
 *
 * <p>Clients that begin without a web socket, the default of the libraries, use HTTP long-polling ({@code PolledClients}),
 * until they upgrade to a web socket ({@code ChannelUpgrade}); requests that arrive at another node than that of their session
 * are relayed to it ({@code PolledRelay}). All data of the channel is also available over HTTP; the channel is not durable, and
 * a client that reconnects reads the current state.
 */
package io.millrace.integration.live;
