package io.millrace.workspace.authorizationserver;

record Consent(OAuthClient client, AuthorizationRequest request) {}
