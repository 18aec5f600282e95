package io.millrace.authoring.flow;

/** Operation in progress on a flow as a whole (contract flows-and-engine 2.1). */
public enum OperationStatus {
    NONE,
    DELETING,
    ENABLING,
    DISABLING
}
