package io.millrace.access;

/** Who asks (contract admin-api 1.8). */
public sealed interface Principal {
    /** Kinds as access rules name them. */
    enum Kind {
        USER,
        SERVICE,
        UNKNOWN
    }

    /** A signed-in user. */
    record User(String id, String platformId, PlatformRole role) implements Principal {
        @Override
        public Kind kind() {
            return Kind.USER;
        }
    }

    /** An API key: acts for its whole platform; where an endpoint needs a user, for the platform's owner. */
    record Service(String keyId, String platformId, String ownerId) implements Principal {
        @Override
        public Kind kind() {
            return Kind.SERVICE;
        }
    }

    /** No token. */
    record Anonymous() implements Principal {
        @Override
        public Kind kind() {
            return Kind.UNKNOWN;
        }
    }

    Kind kind();

    /** The platform that the principal belongs to. */
    default String platform() {
        return switch (this) {
            case User user -> user.platformId();
            case Service service -> service.platformId();
            case Anonymous _ -> throw new IllegalStateException("an anonymous principal has no platform");
        };
    }

    /** The user that the principal is, or stands for. */
    default String actingUser() {
        return switch (this) {
            case User user -> user.id();
            case Service service -> service.ownerId();
            case Anonymous _ -> throw new IllegalStateException("an anonymous principal is no user");
        };
    }

    /** The user's id, or null for an API key: what is recorded as owner or last editor of a flow. */
    default String userIdOrNull() {
        return this instanceof User user ? user.id() : null;
    }
}
