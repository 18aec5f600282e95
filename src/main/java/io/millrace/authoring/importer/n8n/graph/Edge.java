package io.millrace.authoring.importer.n8n.graph;

/** Connection of the output of a node to the input of another one; both numbers begin with 0. */
public record Edge(WorkflowNode from, int output, WorkflowNode to, int input) {}
