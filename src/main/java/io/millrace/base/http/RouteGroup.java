package io.millrace.base.http;

/** A module's routes. Mounted once per instance of the HTTP verticle. */
@FunctionalInterface
public interface RouteGroup {
    void mount(Routes routes);
}
