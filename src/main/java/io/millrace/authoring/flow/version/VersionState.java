package io.millrace.authoring.flow.version;

/** Editing state of a version (contract flows-and-engine 2.2). */
public enum VersionState {
    DRAFT,
    LOCKED
}
