package io.millrace.workspace.connection.credential;

/** Kind of credential of a connection (contract admin-api 7.1). */
public enum ConnectionType {
    SECRET_TEXT,
    BASIC_AUTH,
    CUSTOM_AUTH,
    NO_AUTH,
    /** With an OAuth client of the user. */
    OAUTH2,
    /** With the client that the platform stores for the piece (contract admin-api 27). */
    PLATFORM_OAUTH2,
    /** With a client of the vendor, which this server does not have. */
    CLOUD_OAUTH2,
    /** Role at a cloud provider, which trusts identity tokens of this server (contract admin-api 34). */
    OIDC;

    public boolean isOAuth() {
        return this == OAUTH2 || this == PLATFORM_OAUTH2 || this == CLOUD_OAUTH2;
    }

    /** True when the piece validates a value of this type before it is saved (7.2). */
    public boolean isCheckedByPiece() {
        return this == OAUTH2 || this == SECRET_TEXT || this == BASIC_AUTH || this == CUSTOM_AUTH || this == OIDC;
    }
}
