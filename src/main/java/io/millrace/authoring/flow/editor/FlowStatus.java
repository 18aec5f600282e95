package io.millrace.authoring.flow.editor;

/** Activation of a flow: events start runs of enabled flows only (contract flows-and-engine 2.1). */
public enum FlowStatus {
    ENABLED,
    DISABLED
}
