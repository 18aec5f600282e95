/**
 * Mappings of node types to steps: one class for each family, and the table {@link
 * io.millrace.authoring.importer.n8n.node.NodeMappings}. Pure.
 */
package io.millrace.authoring.importer.n8n.node;
