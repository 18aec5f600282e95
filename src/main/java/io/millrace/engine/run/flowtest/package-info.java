/**
 * Tests of flows: requests, execution by the re-decider, expectations, coverage, and tests made from runs.
 *
 * <p>Start reading at {@link io.millrace.engine.run.flowtest.FlowTestService}; {@code FlowTestRunner} is the pure part. A
 * test has no way to the outside: {@code engine.run.redecide} evaluates pure steps, and fixtures answer the others. A step
 * that no fixture answers makes the test stale. Form and rows of tests belong to {@code authoring.flow.testcase}.
 */
package io.millrace.engine.run.flowtest;
