package io.millrace.authoring.importer.n8n;

import java.util.List;

/**
 * Result for one workflow.
 *
 * @param name name of the workflow
 * @param flows one for each trigger
 * @param problems parts of the export that could not be read
 */
public record WorkflowImport(String name, List<FlowImport> flows, List<String> problems) {
    public WorkflowImport {
        flows = List.copyOf(flows);
        problems = List.copyOf(problems);
    }

    public ImportFigures figures() {
        return flows.stream()
                .map(flow -> ImportFigures.of(flow.entries()))
                .reduce(ImportFigures.of(List.of()), ImportFigures::plus);
    }
}
