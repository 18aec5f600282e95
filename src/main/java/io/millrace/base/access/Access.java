package io.millrace.base.access;

import io.millrace.base.bus.BusRequest;
import java.util.Set;
import java.util.function.Function;

/** The access rule of a route (contract admin-api 1.9). A route cannot be mounted without one. */
public sealed interface Access {
    /** No check. */
    record Public() implements Access {}

    /** The kind is in the list; no other check applies. */
    record Unscoped(Set<Principal.Kind> kinds) implements Access {}

    /** The kind is in the list; data is limited to the principal's platform. */
    record PlatformScoped(Set<Principal.Kind> kinds) implements Access {}

    /** As platform; a user must have the platform role ADMIN. */
    record PlatformAdmin(Set<Principal.Kind> kinds) implements Access {}

    /**
     * Access to one project.
     *
     * @param permission permission that a user's role in the project must contain; null when any role suffices
     * @param source part of the request that names the project
     */
    record ProjectScoped(Set<Principal.Kind> kinds, Permission permission, ProjectSource source) implements Access {}

    sealed interface ProjectSource {
        /** Field {@code projectId} of the body. */
        record Body() implements ProjectSource {}

        /** Field {@code projectId} of the query. */
        record Query() implements ProjectSource {}

        /** A parameter of the path is the project's id. */
        record Path(String parameter) implements ProjectSource {}

        /**
         * A parameter of the path is the id of a row, whose project is looked up.
         *
         * @param lookup makes the request for the project's id, which fails with ENTITY_NOT_FOUND
         */
        record Row(String parameter, Function<String, BusRequest<String>> lookup) implements ProjectSource {}

        record RowInBody(String field, Function<String, BusRequest<String>> lookup) implements ProjectSource {}

        record RowInQuery(String parameter, Function<String, BusRequest<String>> lookup) implements ProjectSource {}
    }

    static Access everybody() {
        return new Public();
    }

    /** Every caller; unlike for {@link #everybody()}, a token that is sent must be valid. */
    static Access anyPrincipal() {
        return new Unscoped(
                Set.of(Principal.Kind.USER, Principal.Kind.SERVICE, Principal.Kind.ENGINE, Principal.Kind.UNKNOWN));
    }

    static Access newcomers() {
        return new Unscoped(Set.of(Principal.Kind.ONBOARDING));
    }

    static Access engine() {
        return new Unscoped(Set.of(Principal.Kind.ENGINE));
    }

    static Access platform() {
        return new PlatformScoped(Set.of(Principal.Kind.USER, Principal.Kind.SERVICE));
    }

    static Access platformUsers() {
        return new PlatformScoped(Set.of(Principal.Kind.USER));
    }

    static Access platformUsersAndPieces() {
        return new PlatformScoped(Set.of(Principal.Kind.USER, Principal.Kind.ENGINE));
    }

    static Access platformServices() {
        return new PlatformScoped(Set.of(Principal.Kind.SERVICE));
    }

    static Access platformAdmin() {
        return new PlatformAdmin(Set.of(Principal.Kind.USER, Principal.Kind.SERVICE));
    }

    static Access platformAdminUsers() {
        return new PlatformAdmin(Set.of(Principal.Kind.USER));
    }

    static Access projectInBody(Permission permission) {
        return project(permission, new ProjectSource.Body());
    }

    static Access projectInQuery(Permission permission) {
        return project(permission, new ProjectSource.Query());
    }

    static Access projectInPath(Permission permission) {
        return project(permission, new ProjectSource.Path("id"));
    }

    static Access projectInPath(String parameter, Permission permission) {
        return project(permission, new ProjectSource.Path(parameter));
    }

    static Access projectOfRow(Permission permission, Function<String, BusRequest<String>> lookup) {
        return projectOfRow("id", permission, lookup);
    }

    static Access projectOfRow(String parameter, Permission permission, Function<String, BusRequest<String>> lookup) {
        return project(permission, new ProjectSource.Row(parameter, lookup));
    }

    /** Users, not API keys, who have any role in the project. */
    static Access projectUsersInPath(String parameter) {
        return new ProjectScoped(Set.of(Principal.Kind.USER), null, new ProjectSource.Path(parameter));
    }

    /** Users, not API keys, who have any role in the project. */
    static Access projectUsersInQuery() {
        return new ProjectScoped(Set.of(Principal.Kind.USER), null, new ProjectSource.Query());
    }

    /** Users, not API keys, who have any role in the project. */
    static Access projectUsersInBody() {
        return new ProjectScoped(Set.of(Principal.Kind.USER), null, new ProjectSource.Body());
    }

    static Access projectUsersInQuery(Permission permission) {
        return new ProjectScoped(Set.of(Principal.Kind.USER), permission, new ProjectSource.Query());
    }

    static Access projectUsersInBody(Permission permission) {
        return new ProjectScoped(Set.of(Principal.Kind.USER), permission, new ProjectSource.Body());
    }

    /** Users, not API keys, who have any role in the project. */
    static Access projectUsersOfRow(Function<String, BusRequest<String>> lookup) {
        return new ProjectScoped(Set.of(Principal.Kind.USER), null, new ProjectSource.Row("id", lookup));
    }

    static Access projectUsersOfRow(Permission permission, Function<String, BusRequest<String>> lookup) {
        return new ProjectScoped(Set.of(Principal.Kind.USER), permission, new ProjectSource.Row("id", lookup));
    }

    /**
     * Users, API keys and pieces that work for the project. A piece needs no permission; it stays in the project of its
     * token, regardless of the body and the query.
     */
    static Access projectAndPieces(Permission permission, ProjectSource source) {
        return new ProjectScoped(
                Set.of(Principal.Kind.USER, Principal.Kind.SERVICE, Principal.Kind.ENGINE), permission, source);
    }

    private static Access project(Permission permission, ProjectSource source) {
        return new ProjectScoped(Set.of(Principal.Kind.USER, Principal.Kind.SERVICE), permission, source);
    }
}
