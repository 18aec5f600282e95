package io.millrace.account.platform;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.base.core.Json;
import io.millrace.base.core.input.FieldChange;
import io.millrace.base.persistence.Tx;
import io.millrace.base.secret.SecretBox;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import java.util.Optional;

/** Stores a platform's own identity providers, sealed. */
final class OwnProviders {
    private final PlatformStore store;
    private final SecretBox box;

    OwnProviders(PlatformStore store, SecretBox box) {
        this.store = store;
        this.box = box;
    }

    Future<Void> change(Tx tx, String platformId, PlatformChanges changes) {
        return (changes.signIn().samlProvider() instanceof FieldChange.To<ObjectNode>(var saml)
                        ? store.setSaml(tx, platformId, sealed(saml, samlContext(platformId)))
                        : Future.<Void>succeededFuture())
                .compose(_ -> changes.signIn().oidcProvider() instanceof FieldChange.To<ObjectNode>(var oidc)
                        ? store.setOidc(tx, platformId, sealed(oidc, oidcContext(platformId)))
                        : Future.succeededFuture());
    }

    Future<Optional<SamlProvider>> saml(Tx tx, String platformId) {
        return store.findProviders(tx, platformId)
                .map(found -> found.flatMap(PlatformStore.Providers::saml)
                        .map(held -> SamlProvider.of(opened(held, samlContext(platformId)))));
    }

    Future<Optional<OidcProvider>> oidc(Tx tx, String platformId) {
        return store.findProviders(tx, platformId)
                .map(found -> found.flatMap(PlatformStore.Providers::oidc)
                        .map(held -> OidcProvider.of(opened(held, oidcContext(platformId)))));
    }

    private static String samlContext(String platformId) {
        return "platform:" + platformId + ":saml";
    }

    private static String oidcContext(String platformId) {
        return "platform:" + platformId + ":oidc";
    }

    private Buffer sealed(ObjectNode provider, String context) {
        return provider == null ? null : Buffer.buffer(box.seal(Json.bytes(provider), context));
    }

    private JsonNode opened(Buffer sealed, String context) {
        return Json.trusted(box.open(sealed.getBytes(), context));
    }
}
