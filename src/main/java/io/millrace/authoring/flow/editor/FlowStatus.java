package io.millrace.authoring.flow.editor;

/** Whether events start runs of a flow (contract flows-and-engine 2.1). */
public enum FlowStatus {
    ENABLED,
    DISABLED
}
