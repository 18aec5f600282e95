package io.millrace.grant;

/** What a person is asked: whether this client may have what it asks for. */
record Consent(Client client, AuthorizationRequest request) {}
