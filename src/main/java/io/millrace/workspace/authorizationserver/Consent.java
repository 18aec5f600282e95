package io.millrace.workspace.authorizationserver;

/** What a person is asked: whether this client may have what it asks for. */
record Consent(OAuthClient client, AuthorizationRequest request) {}
