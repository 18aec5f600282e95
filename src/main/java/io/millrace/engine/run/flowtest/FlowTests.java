package io.millrace.engine.run.flowtest;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.authoring.flow.testcase.FlowTestCase;
import io.millrace.base.access.Principal;
import io.millrace.base.bus.BusRequest;
import io.millrace.base.bus.Nothing;
import java.util.List;
import java.util.Optional;

/** Requests about the tests of flows. Handled by {@link FlowTestService}; access to the flow is checked before. */
public sealed interface FlowTests {
    /** The tests of a flow, oldest first. */
    record Find(String flowId) implements FlowTests, BusRequest<List<FlowTestCase>> {}

    /** One test; fails with ENTITY_NOT_FOUND. */
    record Get(String flowId, String testId) implements FlowTests, BusRequest<FlowTestCase> {}

    /** Fails with VALIDATION beyond a limit. */
    record Create(Principal by, String flowId, FlowTestCase test) implements FlowTests, BusRequest<FlowTestCase> {}

    /** Replaces a test; fails with ENTITY_NOT_FOUND. */
    record Replace(Principal by, String flowId, FlowTestCase test) implements FlowTests, BusRequest<FlowTestCase> {}

    record Delete(Principal by, String flowId, String testId) implements FlowTests, BusRequest<Nothing> {}

    /**
     * Adds a test that is made from an ended run of the flow. Fails with ENTITY_NOT_FOUND for a run of another project.
     *
     * @param name empty for one that names the run
     */
    record CreateFromRun(Principal by, String flowId, String runId, Optional<String> name)
            implements FlowTests, BusRequest<FlowTestCase> {}

    /**
     * Executes tests of a flow; nothing leaves the process.
     *
     * @param version {@code draft}, {@code published} or the id of a version of the flow
     * @param testIds tests to execute; empty for all
     */
    record Execute(String flowId, String version, List<String> testIds) implements FlowTests, BusRequest<ObjectNode> {
        public static final String DRAFT = "draft";
        public static final String PUBLISHED = "published";

        public Execute {
            testIds = List.copyOf(testIds);
        }
    }
}
