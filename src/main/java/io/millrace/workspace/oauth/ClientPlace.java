package io.millrace.workspace.oauth;

/** Position of the client's credentials in a token request (contract pieces 2.3). */
public enum ClientPlace {
    HEADER,
    BODY
}
