package io.millrace.account.signon;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.account.identity.AccessTokens;
import io.millrace.account.identity.IdentityProvider;
import io.millrace.account.identity.Session;
import io.millrace.account.identity.provisioning.ExternalAccounts;
import io.millrace.account.identity.provisioning.ExternalPerson;
import io.millrace.account.platform.OidcProvider;
import io.millrace.account.platform.Platform;
import io.millrace.account.platform.PlatformService;
import io.millrace.account.platform.SamlProvider;
import io.millrace.base.access.Principal;
import io.millrace.base.bus.Bus;
import io.millrace.base.core.ApiException;
import io.millrace.base.core.ErrorCode;
import io.millrace.base.core.Ids;
import io.millrace.base.core.Json;
import io.millrace.base.net.OutboundFailure;
import io.millrace.base.net.OutboundHttp;
import io.millrace.base.persistence.BusService;
import io.millrace.base.persistence.Database;
import io.millrace.base.persistence.Tx;
import io.millrace.base.secret.SecretBox;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.time.InstantSource;
import java.util.Optional;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Handles {@link SignOns}. A failed sign-in is logged once, without the provider's message, and refused. */
public final class SignOnService implements BusService {
    private static final Logger LOG = LoggerFactory.getLogger(SignOnService.class);

    private final Vertx vertx;
    private final Database database;
    private final PlatformService platforms;
    private final ExternalAccounts accounts;
    private final AccessTokens tokens;
    private final OidcClient oidc;
    private final Optional<OidcProvider> google;
    private final Supplier<String> publicUrl;
    private final InstantSource clock;
    private final SamlKeys keys;
    private final SamlRequestStore requests = new SamlRequestStore();

    /**
     * @param google this server as a client of Google; empty when not configured
     * @param publicUrl address of this server without a trailing slash
     */
    public SignOnService(
            Vertx vertx,
            Database database,
            PlatformService platforms,
            ExternalAccounts accounts,
            AccessTokens tokens,
            SecretBox box,
            OutboundHttp http,
            Optional<OidcProvider> google,
            Supplier<String> publicUrl,
            InstantSource clock) {
        this.vertx = vertx;
        this.database = database;
        this.platforms = platforms;
        this.accounts = accounts;
        this.tokens = tokens;
        this.oidc = new OidcClient(vertx, http);
        this.keys = new SamlKeys(vertx, database, box, clock);
        this.google = google;
        this.publicUrl = publicUrl;
        this.clock = clock;
    }

    @Override
    public void open(Bus bus) {
        bus.serve(SignOns.Describe.class, _ -> describe());
        bus.serve(SignOns.Begin.class, this::begin);
        bus.serve(SignOns.Claim.class, this::claim);
        bus.serve(SignOns.Consume.class, this::consume);
    }

    private Future<String> describe() {
        return keys.made()
                .map(key -> SamlRequest.metadata(
                        serviceProvider(), key.certificate().getBytes()));
    }

    private Future<SignOns.SignOnStart> begin(SignOns.Begin ask) {
        return ask.provider() == ProviderName.SAML ? beginSaml() : beginOidc(ask.provider());
    }

    private Future<SignOns.SignOnStart> beginOidc(ProviderName name) {
        var ticket = SignOnState.fresh(name);
        return database.read(tx -> platforms.oldest(tx).compose(platform -> providerOf(tx, name, platform)))
                .map(found -> found.orElseThrow(() -> unknown(name)))
                .compose(provider -> oidc.describe(provider)
                        .map(description -> oidc.authorizeUrl(provider, description, redirectUrl(), ticket.challenge()))
                        .recover(failure -> failed(name, failure, ErrorCode.UNAVAILABLE)))
                .map(address -> new SignOns.SignOnStart(address, ticket.text(tokens)));
    }

    /** The platform may disable Google; the platform's own provider is usable only with a verified domain. */
    private Future<Optional<OidcProvider>> providerOf(Tx tx, ProviderName name, Optional<Platform> platform) {
        return switch (name) {
            case GOOGLE ->
                Future.succeededFuture(
                        google.filter(_ -> platform.map(known -> known.signIn().googleAuthEnabled())
                                .orElse(true)));
            case OIDC ->
                platform.map(known -> platforms.oidcProvider(tx, known.id()))
                        .orElseGet(() -> Future.succeededFuture(Optional.empty()));
            case SAML -> Future.succeededFuture(Optional.empty());
        };
    }

    private String redirectUrl() {
        return publicUrl.get() + "/redirect";
    }

    private Future<Session> claim(SignOns.Claim ask) {
        var ticket = SignOnState.read(ask.ticket(), tokens)
                .filter(found -> ask.provider() != ProviderName.SAML && found.answers(ask.provider(), ask.state()));
        if (ticket.isEmpty()) {
            return Future.failedFuture(ApiException.bare(ErrorCode.INVALID_CREDENTIALS));
        }
        return database.read(tx -> platforms.oldest(tx).compose(platform -> providerOf(tx, ask.provider(), platform)))
                .map(found -> found.orElseThrow(() -> ApiException.bare(ErrorCode.INVALID_CREDENTIALS)))
                .compose(provider -> person(provider, ticket.get(), ask)
                        .recover(failure -> failed(ask.provider(), failure, ErrorCode.INVALID_CREDENTIALS)))
                .compose(person -> database.inTransaction(tx -> enter(tx, ask.by(), person)));
    }

    private Future<ExternalPerson> person(OidcProvider provider, SignOnState ticket, SignOns.Claim ask) {
        var isGoogle = ticket.provider() == ProviderName.GOOGLE;
        return oidc.describe(provider)
                .compose(description -> {
                    OidcClient.requireSender(description, ask.issuer(), ask.byOwnPage());
                    return oidc.claims(provider, description, redirectUrl(), ask.code(), ticket.verifier());
                })
                .map((ObjectNode claims) -> IdToken.read(
                        claims,
                        provider.clientId(),
                        ticket.nonce(),
                        isGoogle ? IdentityProvider.GOOGLE : IdentityProvider.OIDC,
                        isGoogle,
                        clock.instant()));
    }

    /** A platform's own provider may authenticate addresses of the platform's domain only, and these need no invitation. */
    private Future<Session> enter(Tx tx, Principal by, ExternalPerson person) {
        if (person.provider() == IdentityProvider.GOOGLE) {
            return accounts.enter(tx, by, person, false);
        }
        var domain = person.email().substring(person.email().indexOf('@') + 1);
        return platforms
                .oldest(tx)
                .compose(platform -> platform.filter(known -> known.ownsDomain(domain))
                                .isPresent()
                        ? accounts.enter(tx, by, person, true)
                        : Future.failedFuture(ApiException.of(
                                ErrorCode.DOMAIN_NOT_ALLOWED, Json.object().put("domain", domain))));
    }

    private Future<SignOns.SignOnStart> beginSaml() {
        var now = clock.instant();
        // An id in XML begins with a letter or an underscore.
        var id = "_" + Ids.random(42);
        return database.inTransaction(tx -> platforms
                .oldest(tx)
                .compose(platform -> saml(tx, platform))
                .compose(found -> requests.insert(tx, id, found.platformId(), now.plus(SignOnState.LIFETIME), now)
                        .map(new SignOns.SignOnStart(
                                SamlRequest.address(found.provider(), serviceProvider(), id, now), id))));
    }

    private record PlatformSaml(String platformId, SamlProvider provider) {}

    private Future<PlatformSaml> saml(Tx tx, Optional<Platform> platform) {
        var known = platform.orElseThrow(() -> unknown(ProviderName.SAML));
        return platforms
                .samlProvider(tx, known.id())
                .map(found -> new PlatformSaml(known.id(), found.orElseThrow(() -> unknown(ProviderName.SAML))));
    }

    private SamlRequest.ServiceProvider serviceProvider() {
        return SamlRequest.ServiceProvider.at(publicUrl.get());
    }

    /** Parses and verifies on a worker thread, because it takes some milliseconds. */
    private Future<Session> consume(SignOns.Consume ask) {
        return database.read(tx -> platforms.oldest(tx).compose(platform -> saml(tx, platform)))
                .compose(own -> keys.found()
                        .compose(key -> vertx.executeBlocking(() -> read(ask, own.provider(), key), false))
                        .recover(failure -> failed(ProviderName.SAML, failure, ErrorCode.INVALID_SAML_RESPONSE))
                        .compose(response -> database.inTransaction(tx -> enter(tx, ask, own.platformId(), response))));
    }

    private SamlResponse read(SignOns.Consume ask, SamlProvider provider, Optional<SamlKey> key) {
        return SamlResponse.read(ask.response(), provider, serviceProvider(), key.map(SamlKey::key), clock.instant());
    }

    private Future<Session> enter(Tx tx, SignOns.Consume ask, String platformId, SamlResponse response) {
        var isOfThisBrowser = ask.question().isEmpty() || ask.question().get().equals(response.inResponseTo());
        return requests.answer(tx, response.inResponseTo(), platformId, clock.instant())
                .compose(asked -> asked && isOfThisBrowser
                        ? enter(tx, ask.by(), response.person()).map(session -> endingWith(session, response))
                        : failed(
                                ProviderName.SAML,
                                new IllegalArgumentException(
                                        "expected the response to a sign-in of the last minutes, found an unknown or used RelayState"),
                                ErrorCode.INVALID_SAML_RESPONSE));
    }

    private Session endingWith(Session session, SamlResponse response) {
        return response.sessionEnd().map(end -> session.endingBy(end, tokens)).orElse(session);
    }

    private static ApiException unknown(ProviderName name) {
        return ApiException.notFound("identity_provider", name.text());
    }

    /** Maps a refused sign-in to an API error. An internal defect is passed on unchanged. */
    private static <T> Future<T> failed(ProviderName name, Throwable failure, ErrorCode code) {
        if (!(failure instanceof IllegalArgumentException || failure instanceof OutboundFailure)) {
            return Future.failedFuture(failure);
        }
        LOG.warn("sign-in with {} failed: {}", name.text(), failure.getMessage());
        return Future.failedFuture(
                code == ErrorCode.INVALID_CREDENTIALS
                        ? ApiException.bare(code)
                        : ApiException.of(code, failure.getMessage()));
    }
}
