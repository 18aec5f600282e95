/**
 * Nodes on one database: who they are, and how what one of them changes is obeyed by all (decision 0157).
 *
 * <p>What changes is logged by the database itself, in the transaction of the change. Each node reads that log several
 * times a second, at once when another node asks it to, and clears what it keeps in memory. It may use what it keeps for a
 * second after the last look; so whoever waits that long, or for the confirmation of every live node, knows that the change
 * is obeyed everywhere. Messages between nodes travel by PostgreSQL's notifications, or by a clustered Vert.x. Start
 * reading at {@link io.millrace.base.cluster.Cluster}.
 */
package io.millrace.base.cluster;
