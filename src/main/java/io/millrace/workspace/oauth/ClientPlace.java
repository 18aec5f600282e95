package io.millrace.workspace.oauth;

/** Where a client proves itself in a request for a token (contract pieces 2.3). */
public enum ClientPlace {
    /** In an Authorization header. */
    HEADER,
    /** Among the fields of the form. */
    BODY
}
