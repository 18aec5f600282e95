package io.millrace.workspace.aiprovider;

import io.millrace.base.bus.BusRequest;
import java.util.List;

/** The providers of a platform, oldest first, for selection lists. Answered by {@link AiProviderService}. */
public record ListProviders(String platformId) implements BusRequest<List<ListProviders.Entry>> {
    public record Entry(String id, String provider, String name, boolean enabledForChat) {}
}
