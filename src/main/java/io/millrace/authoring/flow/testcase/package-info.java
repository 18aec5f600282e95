/**
 * Test cases of flows: their form, their rows and their limits.
 *
 * <p>Start reading at {@link io.millrace.authoring.flow.testcase.FlowTestCase}. A test belongs to a flow, not to a
 * version: it states what every later version must do. It is a part of the flow in exports, templates, git and releases.
 * Execution is the task of {@code engine.run.flowtest}.
 */
package io.millrace.authoring.flow.testcase;
