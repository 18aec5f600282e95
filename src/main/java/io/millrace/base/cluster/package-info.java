/**
 * Cluster of nodes on one database: membership, and propagation of changes to all nodes (decision 0157).
 *
 * <p>The database itself logs changes, in the transaction of the change. Each node reads that log several times a second, at
 * once when another node asks it to, and clears its caches. It may use cached values for 1 s after the last read; a caller
 * that waits that long, or for the confirmation of every live node, knows that the change is in force at every node. Messages
 * between nodes travel by PostgreSQL's notifications, or by a clustered Vert.x. Start reading at
 * {@link io.millrace.base.cluster.Cluster}.
 */
package io.millrace.base.cluster;
