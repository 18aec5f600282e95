package io.millrace.authoring.importer;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.base.access.Principal;
import io.millrace.base.bus.BusRequest;
import java.util.Optional;

/** Requests about imports of workflows of other products. Handled by {@link ImportService}. */
public sealed interface WorkflowImports {
    /**
     * Creates a draft for each trigger of each workflow; the result is {@code {flows, report}}. A workflow that cannot become a flow
     * is reported and changes nothing. Fails with INVALID_INPUT for too many workflows.
     *
     * @param workflows one workflow, or a list
     * @param folder name of the folder of the flows, which is created if there is none
     * @param dryRun true for the report alone
     */
    record ImportN8n(Principal by, String projectId, JsonNode workflows, Optional<String> folder, boolean dryRun)
            implements WorkflowImports, BusRequest<ObjectNode> {}
}
