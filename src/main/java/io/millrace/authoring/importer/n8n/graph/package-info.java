/**
 * Workflow of n8n as a graph: tolerant reading of an export, reachability, loops, dominators. Pure; knows no flow of this server.
 *
 * <p>Start reading at {@link io.millrace.authoring.importer.n8n.graph.Workflow}.
 */
package io.millrace.authoring.importer.n8n.graph;
