package io.millrace.workspace.aiprovider;

import com.fasterxml.jackson.databind.JsonNode;
import io.millrace.base.bus.BusRequest;

/** Models of the newest provider of a kind: an array of {@code {id, name, type}}. Answered by {@link AiProviderService}. */
public record ListModels(String platformId, String provider) implements BusRequest<JsonNode> {}
