package io.millrace.authoring.flow;

/** What is being done to a flow as a whole (contract flows-and-engine 2.1). */
public enum OperationStatus {
    NONE,
    DELETING,
    ENABLING,
    DISABLING
}
