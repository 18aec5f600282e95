package io.millrace.workspace.authorizationserver;

/** Content of the consent page: a client and its request. */
record Consent(OAuthClient client, AuthorizationRequest request) {}
