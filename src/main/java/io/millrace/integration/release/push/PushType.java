package io.millrace.integration.release.push;

/** Content of a push to the repository of a project (contract admin-api 10.2). */
public enum PushType {
    PUSH_FLOW,
    DELETE_FLOW,
    PUSH_TABLE,
    DELETE_TABLE,
    PUSH_EVERYTHING
}
