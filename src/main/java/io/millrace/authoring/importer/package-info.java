/**
 * Import of workflows of other products as drafts of flows: the route, and the service that creates the flows. Each product is a pure
 * translator in a subpackage.
 *
 * <p>Nothing is executed or published. Start reading at {@link io.millrace.authoring.importer.WorkflowImports}.
 */
package io.millrace.authoring.importer;
