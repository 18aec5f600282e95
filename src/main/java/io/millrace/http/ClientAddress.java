package io.millrace.http;

import io.vertx.ext.web.RoutingContext;

/** Where a request comes from: what the header of a proxy says, else the connection (contract admin-api 1.13). */
public final class ClientAddress {
    /** No address is longer, and whoever sends more does not decide what is kept of it. */
    private static final int LENGTH_MAX = 64;

    private final String header;

    /**
     * @param header name of the header that is believed; none when empty
     */
    public ClientAddress(String header) {
        this.header = header;
    }

    public String of(RoutingContext context) {
        var told = header.isEmpty() ? null : context.request().getHeader(header);
        if (told == null || told.isBlank()) {
            return context.request().remoteAddress().hostAddress();
        }
        var address = told.strip();
        return address.length() <= LENGTH_MAX ? address : address.substring(0, LENGTH_MAX);
    }
}
