/**
 * What an open editor hears and says at once: the Socket.IO channel of a project (contract flows-and-engine 31).
 *
 * <p>Start reading at {@link io.millrace.integration.live.LiveRoutes}, which gives each web socket a {@code ChannelSession}: it speaks the
 * protocol ({@code Packet}), lets nobody in who may not read runs of the project, and does what is asked. Those who edit
 * the same thing see each other through {@code Editors}, at whichever node they are. What one member starts, all members of the
 * project hear. Who looks at the list of runs is told which of them have changed ({@code ChangedRuns}), who looks at tables
 * which of their records ({@code ChangedTables}).
 *
 * <p>Clients that begin without a web socket, as libraries do by themselves, fetch and bring their packets by requests
 * ({@code PolledClients}), until they go over to a web socket ({@code ChannelUpgrade}); requests that come in at another node than
 * their session's are taken to it ({@code PolledRelay}). Everything that is told here can be had over HTTP too; nothing here is durable, and a member
 * that comes back asks for how things stand.
 */
package io.millrace.integration.live;
