package io.millrace.workspace.connection.credential;

/** How a connection proves who it is (contract admin-api 7.1). */
public enum ConnectionType {
    SECRET_TEXT,
    BASIC_AUTH,
    CUSTOM_AUTH,
    NO_AUTH,
    /** With a client of one's own. */
    OAUTH2,
    /** With the client that the platform keeps for the piece (contract admin-api 27). */
    PLATFORM_OAUTH2,
    /** With a client of the vendor, which this server does not have. */
    CLOUD_OAUTH2,
    /** By a role at a cloud provider, which takes this server's word for who asks (contract admin-api 34). */
    OIDC;

    public boolean isOAuth() {
        return this == OAUTH2 || this == PLATFORM_OAUTH2 || this == CLOUD_OAUTH2;
    }

    /** Whether the piece is asked about a value of this type before it is saved (7.2). */
    public boolean isCheckedByPiece() {
        return this == OAUTH2 || this == SECRET_TEXT || this == BASIC_AUTH || this == CUSTOM_AUTH || this == OIDC;
    }
}
