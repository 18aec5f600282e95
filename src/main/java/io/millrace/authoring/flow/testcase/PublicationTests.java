package io.millrace.authoring.flow.testcase;

import io.millrace.base.bus.BusRequest;
import io.millrace.base.bus.Nothing;

/** Requests of a publication to the tests of a flow. Handled by the engine, which executes them. */
public sealed interface PublicationTests {
    /** Executes all tests of a flow on one version; fails with FLOW_TESTS_FAILED unless all pass. */
    record RequirePassing(String flowId, String versionId) implements PublicationTests, BusRequest<Nothing> {}
}
