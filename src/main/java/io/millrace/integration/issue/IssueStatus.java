package io.millrace.integration.issue;

/** Status of an issue, as upstream names them. A new failure makes a resolved or archived issue unresolved again. */
public enum IssueStatus {
    UNRESOLVED,
    RESOLVED,
    ARCHIVED
}
