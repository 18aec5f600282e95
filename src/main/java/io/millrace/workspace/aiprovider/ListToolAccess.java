package io.millrace.workspace.aiprovider;

import io.millrace.base.bus.BusRequest;
import java.util.List;

/** The services that a platform's agents may use at present. Answered by {@link AiToolService}. */
public record ListToolAccess(String platformId) implements BusRequest<List<ToolAccess>> {}
