package io.millrace.flow;

/** What is being done to a flow as a whole; only NONE and DELETING are set (contract flows-and-engine 2.1). */
public enum OperationStatus {
    NONE,
    DELETING,
    ENABLING,
    DISABLING
}
