package io.millrace.integration.release.push;

/** What is pushed to the repository of a project (contract admin-api 10.2). */
public enum PushType {
    PUSH_FLOW,
    DELETE_FLOW,
    PUSH_TABLE,
    DELETE_TABLE,
    PUSH_EVERYTHING
}
