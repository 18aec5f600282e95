package io.millrace.http;

/** A room's routes. Mounted once per instance of the HTTP verticle. */
@FunctionalInterface
public interface HttpModule {
    void mount(Routes routes);
}
