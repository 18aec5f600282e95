/**
 * Translator of workflows exported by n8n into flows, with a report of each difference. Pure: JSON in, JSON out; no input makes it
 * fail, and nothing is executed.
 *
 * <p>Its subpackages hold the graph of a workflow, expressions, steps and the mappings of node types. Start reading at {@link
 * io.millrace.authoring.importer.n8n.WorkflowTranslator}.
 */
package io.millrace.authoring.importer.n8n;
