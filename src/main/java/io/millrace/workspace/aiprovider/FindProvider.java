package io.millrace.workspace.aiprovider;

import io.millrace.base.bus.BusRequest;
import java.util.Optional;

/**
 * Access to a platform's models, with the credential: for calls that this server makes itself. Fails with ENTITY_NOT_FOUND
 * when there is none. Answered by {@link AiProviderService}.
 *
 * @param provider empty for the one that the platform uses for chats
 * @param configId pins one row
 */
public record FindProvider(String platformId, Optional<String> provider, Optional<String> configId)
        implements BusRequest<ProviderAccess> {}
