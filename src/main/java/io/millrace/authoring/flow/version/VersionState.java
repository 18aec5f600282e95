package io.millrace.authoring.flow.version;

/** Whether a version may still be edited (contract flows-and-engine 2.2). */
public enum VersionState {
    DRAFT,
    LOCKED
}
