package io.millrace.authoring.importer.n8n.graph;

/**
 * Sub-node of an AI node, such as its model or a tool.
 *
 * @param kind kind of the connection, such as {@code ai_tool}
 */
public record SubNode(WorkflowNode part, String kind, WorkflowNode parent) {}
