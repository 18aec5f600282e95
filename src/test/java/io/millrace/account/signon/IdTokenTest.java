package io.millrace.account.signon;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.account.identity.IdentityProvider;
import io.millrace.account.identity.provisioning.ExternalPerson;
import io.millrace.base.core.Json;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

class IdTokenTest {
    private static final Instant NOW = Instant.ofEpochSecond(1_800_000_000);

    private static ObjectNode claims() {
        return Json.object()
                .put("iss", "https://id.example.com")
                .put("aud", "mill")
                .put("nonce", "n")
                .put("iat", NOW.getEpochSecond())
                .put("exp", NOW.plusSeconds(60).getEpochSecond())
                .put("email", " Grace@Example.com ")
                .put("email_verified", true)
                .put("given_name", "Grace")
                .put("family_name", "Hopper")
                .put("picture", "https://id.example.com/g.png");
    }

    private static ExternalPerson read(ObjectNode claims, boolean mustVerify) {
        return IdToken.read(claims, "mill", "n", IdentityProvider.GOOGLE, mustVerify, NOW);
    }

    private static void refuses(ObjectNode claims, String why) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> read(claims, true))
                .withMessageContaining(why);
    }

    @Test
    void completesAThinToken_withWhatIsToldOfTheSamePerson() {
        // Given
        var thin = claims().put("sub", "g1");
        thin.remove(List.of("email", "family_name"));
        var told = claims().put("sub", "g1").put("given_name", "Other").put("email_verified", "false");

        // When
        var whole = IdToken.completed(thin, told);
        told.remove("email_verified");
        var unsaid = IdToken.completed(thin, told);

        // Then
        assertThat(whole.path("email").asText()).isEqualTo(" Grace@Example.com ");
        assertThat(whole.path("family_name").asText()).isEqualTo("Hopper");
        assertThat(whole.path("given_name").asText()).isEqualTo("Grace");
        refuses(whole, "has not verified");
        refuses(unsaid, "has not verified");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> IdToken.completed(thin, claims().put("sub", "g2")))
                .withMessageContaining("subject of the userinfo");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> IdToken.completed(claims(), claims()))
                .withMessageContaining("subject of the userinfo");
    }

    @Test
    void knowsThePerson() {
        // When
        var person = read(claims(), true);

        // Then
        assertThat(person.email()).isEqualTo("grace@example.com");
        assertThat(person.firstName()).isEqualTo("Grace");
        assertThat(person.lastName()).isEqualTo("Hopper");
        assertThat(person.imageUrl()).contains("https://id.example.com/g.png");
    }

    @Test
    void makesDoWithLess() {
        // Given
        var named = claims().put("name", "Grace B. Hopper").put("picture", "javascript:alert(1)");
        named.remove("given_name");
        named.remove("family_name");
        var nameless = claims();
        nameless.remove("given_name");
        nameless.remove("family_name");
        nameless.remove("email_verified");

        // Then
        assertThat(read(named, true).firstName()).isEqualTo("Grace B");
        assertThat(read(named, true).lastName()).isEqualTo("Hopper");
        assertThat(read(named, true).imageUrl()).isEmpty();
        assertThat(read(nameless, false).firstName()).isEqualTo("grace");
    }

    @Test
    void refusesWhatIsNotGood() {
        refuses(claims().put("exp", NOW.minusSeconds(61).getEpochSecond()), "expired");
        refuses(claims().put("exp", "never"), "expired");
        refuses(claims().put("iat", NOW.plusSeconds(61).getEpochSecond()), "not valid yet");
        refuses(claims().put("nbf", NOW.plusSeconds(61).getEpochSecond()), "not valid yet");
        refuses(claims().put("nonce", "other"), "nonce");
        refuses(claims().putNull("nonce"), "nonce");
        refuses(claims().put("azp", "other"), "audience");
        refuses(claims().put("email_verified", false), "not verified");
        refuses(claims().put("email_verified", "false"), "not verified");
        refuses(claims().put("email", "nobody"), "e-mail");
        refuses(claims().putNull("email"), "e-mail");
        var silent = claims();
        silent.remove("email_verified");
        refuses(silent, "not verified");
        var several = claims();
        several.putArray("aud").add("mill").add("other");
        refuses(several, "audience");
    }
}
