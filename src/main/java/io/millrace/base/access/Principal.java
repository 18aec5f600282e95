package io.millrace.base.access;

import java.util.Optional;

/** Identity of a caller (contract admin-api 1.8). */
public sealed interface Principal {
    enum Kind {
        USER,
        SERVICE,
        ONBOARDING,
        ENGINE,
        MCP_SERVER,
        UNKNOWN
    }

    record SignedInUser(String id, String platformId, PlatformRole role, String address) implements Principal {
        public SignedInUser(String id, String platformId, PlatformRole role) {
            this(id, platformId, role, null);
        }

        @Override
        public SignedInUser from(String otherAddress) {
            return new SignedInUser(id, platformId, role, otherAddress);
        }

        @Override
        public Kind kind() {
            return Kind.USER;
        }
    }

    /** An API key: acts for its whole platform; where an endpoint needs a user, for the platform's owner. */
    record Service(String keyId, String platformId, String ownerId, KeyScopes scopes, String address)
            implements Principal {
        public Service(String keyId, String platformId, String ownerId) {
            this(keyId, platformId, ownerId, KeyScopes.ALL);
        }

        public Service(String keyId, String platformId, String ownerId, KeyScopes scopes) {
            this(keyId, platformId, ownerId, scopes, null);
        }

        @Override
        public Service from(String otherAddress) {
            return new Service(keyId, platformId, ownerId, scopes, otherAddress);
        }

        @Override
        public Kind kind() {
            return Kind.SERVICE;
        }
    }

    /** A user who has no platform yet (contract admin-api 32.2). */
    record Newcomer(String identityId, String address) implements Principal {
        @Override
        public Newcomer from(String otherAddress) {
            return new Newcomer(identityId, otherAddress);
        }

        @Override
        public Kind kind() {
            return Kind.ONBOARDING;
        }
    }

    /** Code of a piece that works for a project: it has few rights, and none outside that project. */
    record Engine(String projectId, String platformId, String address) implements Principal {
        @Override
        public Engine from(String otherAddress) {
            return new Engine(projectId, platformId, otherAddress);
        }

        @Override
        public Kind kind() {
            return Kind.ENGINE;
        }
    }

    /**
     * The token of an MCP server: it has every permission in the server's project, none outside it, and never administers the
     * platform. Records that need a user name the platform's owner. No route of the API accepts it.
     */
    record McpServerToken(String serverId, String projectId, String platformId, String ownerId, String address)
            implements Principal {
        public McpServerToken(String serverId, String projectId, String platformId, String ownerId) {
            this(serverId, projectId, platformId, ownerId, null);
        }

        @Override
        public McpServerToken from(String otherAddress) {
            return new McpServerToken(serverId, projectId, platformId, ownerId, otherAddress);
        }

        @Override
        public Kind kind() {
            return Kind.MCP_SERVER;
        }
    }

    record Anonymous(String address) implements Principal {
        @Override
        public Anonymous from(String otherAddress) {
            return new Anonymous(otherAddress);
        }

        @Override
        public Kind kind() {
            return Kind.UNKNOWN;
        }
    }

    Kind kind();

    /** The client's address (contract admin-api 1.13), or null for a call that did not arrive over HTTP. */
    String address();

    Principal from(String otherAddress);

    default Optional<String> platformIfAny() {
        return switch (this) {
            case SignedInUser _, Service _, Engine _, McpServerToken _ -> Optional.of(platform());
            case Newcomer _, Anonymous _ -> Optional.empty();
        };
    }

    default String platform() {
        return switch (this) {
            case SignedInUser user -> user.platformId();
            case Service service -> service.platformId();
            case Newcomer _ -> throw new IllegalStateException("a newcomer has no platform");
            case Engine engine -> engine.platformId();
            case McpServerToken token -> token.platformId();
            case Anonymous _ -> throw new IllegalStateException("an anonymous principal has no platform");
        };
    }

    default String actingUser() {
        return switch (this) {
            case SignedInUser user -> user.id();
            case Service service -> service.ownerId();
            case Newcomer _ -> throw new IllegalStateException("a newcomer is not a user yet");
            case Engine _ -> throw new IllegalStateException("a piece is not a user");
            case McpServerToken token -> token.ownerId();
            case Anonymous _ -> throw new IllegalStateException("an anonymous principal is not a user");
        };
    }

    default boolean administersPlatform() {
        return switch (this) {
            case SignedInUser user -> user.role() == PlatformRole.ADMIN;
            case Service _ -> true;
            case Newcomer _ -> false;
            case Engine _ -> false;
            case McpServerToken _ -> false;
            case Anonymous _ -> false;
        };
    }

    /** The user's id, or null for an API key and an MCP server: recorded as owner or last editor of a flow. */
    default String userIdOrNull() {
        return this instanceof SignedInUser user ? user.id() : null;
    }
}
