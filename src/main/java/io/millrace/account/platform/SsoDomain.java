package io.millrace.account.platform;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.base.core.ApiException;
import io.millrace.base.core.ErrorCode;
import io.millrace.base.core.Ids;
import io.millrace.base.core.Json;
import io.millrace.base.core.input.FieldChange;
import io.millrace.base.core.input.Fields;
import io.millrace.base.net.DomainRecords;
import io.millrace.base.persistence.ConstraintViolation;
import io.vertx.core.Future;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;

/**
 * The domain whose addresses a platform's own identity providers may authenticate, and its proof of ownership: a TXT
 * record that only the owner of the domain can create (contract admin-api 18.1). One address identifies a person on all
 * platforms of the installation, so a platform that authenticated addresses of other domains could take over any
 * account.
 */
final class SsoDomain {
    static final String VERIFIED = "VERIFIED";

    private static final String FIELD = "ssoDomain";
    private static final String PENDING = "PENDING_VERIFICATION";
    private static final String INDEX = "platform_sso_domain";
    private static final int PROOF_LENGTH = 32;
    private static final String LABEL = "[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?";
    private static final Pattern DOMAIN = Pattern.compile("^(?=.{4,253}$)" + LABEL + "(?:\\." + LABEL + ")+$");

    private SsoDomain() {}

    /** Reads the domain of a body; null removes the domain. */
    static FieldChange<String> read(Fields body) {
        if (!body.has(FIELD)) {
            return FieldChange.keep();
        }
        if (body.isAbsent(FIELD)) {
            return FieldChange.to(null);
        }
        var domain = body.text(FIELD).strip().toLowerCase(Locale.ROOT);
        if (!DOMAIN.matcher(domain).matches()) {
            body.refuse(FIELD, "Invalid string: must match pattern /" + DOMAIN.pattern() + "/");
        } else if (PlatformNames.isConsumer(domain)) {
            body.refuse(FIELD, "Invalid input: expected a domain of your own");
        }
        return FieldChange.to(domain);
    }

    /** Verification state of a domain: unchanged for the same domain, restarted for another. */
    static JsonNode verification(Platform.SignInRules before, String domain, Instant now) {
        if (domain == null) {
            return null;
        }
        if (domain.equals(before.ssoDomain())) {
            return before.ssoDomainVerification();
        }
        var verification = Json.object().put("status", PENDING);
        verification
                .putObject("record")
                .put("type", "TXT")
                .put("name", "_millrace." + domain)
                .put("value", "millrace-verification=" + Ids.random(PROOF_LENGTH));
        return verification.put("createdAt", Json.timestamp(now));
    }

    static Future<String> proved(Platform.SignInRules rules, DomainRecords domains) {
        var verification = rules.ssoDomainVerification();
        if (verification == null) {
            return Future.failedFuture(ApiException.of(ErrorCode.VALIDATION, "the platform has no ssoDomain"));
        }
        var record = verification.path("record");
        var name = record.path("name").asText();
        return domains.texts(name)
                .recover(failure -> Future.failedFuture(unanswered(name, failure)))
                .map(texts -> {
                    if (!texts.contains(record.path("value").asText())) {
                        throw missing(name, texts);
                    }
                    return rules.ssoDomain();
                });
    }

    private static ApiException missing(String name, List<String> texts) {
        return ApiException.of(
                ErrorCode.VALIDATION,
                "expected the TXT record " + name + " to contain the value of ssoDomainVerification, found "
                        + (texts.isEmpty() ? "no TXT record" : "another value")
                        + "; a new record can take as long to be seen as its predecessor was to be kept (TTL)");
    }

    /** The record may exist: its owner must not search for a mistake in it. */
    private static ApiException unanswered(String name, Throwable failure) {
        return ApiException.of(
                ErrorCode.VALIDATION,
                "no name server of this host answered the question for the TXT record " + name + " ("
                        + failure.getMessage() + "); try again, or have the operator check DNS");
    }

    /** Marks the domain as verified; fails with VALIDATION when the domain has changed meanwhile. */
    static Platform verified(Platform platform, String domain, Instant now) {
        if (!domain.equals(platform.signIn().ssoDomain())) {
            throw ApiException.of(ErrorCode.VALIDATION, "the ssoDomain changed during the verification; verify again");
        }
        var verification = platform.signIn().ssoDomainVerification();
        return platform.withDomain(((ObjectNode) verification.deepCopy()).put("status", VERIFIED), now);
    }

    /** Translates the unique violation of two platforms with one domain. */
    static Throwable takenOr(Throwable failure) {
        return failure instanceof ConstraintViolation refused
                        && refused.constraint().equals(INDEX)
                ? ApiException.of(ErrorCode.VALIDATION, "another platform has verified this ssoDomain")
                : failure;
    }
}
