package io.millrace.workspace.secretmanager;

import static io.millrace.support.Waiting.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.base.core.Json;
import io.millrace.hostile.HostileKind;
import io.millrace.support.Waiting;
import io.millrace.support.outside.HostileOutside;
import io.millrace.support.outside.HostilePeer;
import java.time.InstantSource;
import java.util.List;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Malicious vaults: memory exhaustion, SSRF and theft of the credentials of another vault. */
@HostileKind("vault")
final class HostileVaultTest {
    private static final String SECRET = "opens-the-vault-4711";

    @AutoClose
    private final HostileOutside outside = HostileOutside.open();

    private final HostilePeer peer = outside.peer();
    private final VaultHttp http = new VaultHttp(outside.http());

    private SecretVault vault(String vendor, String url) {
        ObjectNode config = Json.object()
                .put("url", url)
                .put("roleId", "mill")
                .put("secretId", SECRET)
                .put("organizationAccountName", "acme")
                .put("loginId", "host/mill")
                .put("apiKey", SECRET)
                .put("accessKeyId", "AKIDMILL")
                .put("secretAccessKey", SECRET)
                .put("region", "eu-north-1");
        return switch (vendor) {
            case "hashicorp" -> new HashicorpVault(http, config);
            case "conjur" -> new ConjurVault(http, config);
            default -> new AwsVault(http, config, InstantSource.system(), _ -> url);
        };
    }

    /** Asserts a {@link SecretFailure} whose message contains neither the secret nor control characters. */
    private void refuses(String vendor, String url) {
        var failure = catchThrowable(() -> await(vault(vendor, url).read("mount/path:key/name:key")));
        assertThat(failure).isInstanceOf(SecretFailure.class);
        assertThat(failure.getMessage()).doesNotContain(SECRET).doesNotContainPattern("\\p{Cntrl}");
    }

    @ParameterizedTest
    @ValueSource(strings = {"hashicorp", "conjur", "aws"})
    void readsNoMoreThanASecretIsLong(String vendor) {
        for (var status : new int[] {200, 400, 500}) {
            peer.sayWithoutEnd(status);
            refuses(vendor, peer.url());
            Waiting.until("the connection is given up", peer.isGivenUp::get);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"hashicorp", "conjur", "aws"})
    void isLedNowhereElse(String vendor) {
        for (var location : peer.forbidden()) {
            for (var status : new int[] {301, 303, 307, 308}) {
                peer.redirect(status, location);
                refuses(vendor, peer.url());
            }
            refuses(vendor, location);
        }
        peer.redirect(307, peer.url() + "/elsewhere");
        refuses(vendor, peer.url());
        assertThat(peer.asked).doesNotContain("POST /elsewhere");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "{}",
                "[]",
                "null",
                "<html>",
                "{'auth':7}",
                "{'auth':{'client_token':null}}",
                "{'auth':{'client_token':{}}}",
                "{'auth':{'client_token':'t\\r\\nX-Vault-Namespace: root'}}",
                "{'auth':{'client_token':'t\\u0000'}}",
                "{'auth':{'client_token':'\\ud83d\\ude00'}}",
                "{'SecretString':7}",
                "{'SecretString':'{'}"
            })
    void refusesAnswersThatAreNone(String body) {
        for (var status : new int[] {200, 201, 400, 500}) {
            peer.say(status, "application/json", body);
            refuses("hashicorp", peer.url());
            refuses("aws", peer.url());
        }
    }

    /** Settings that were stored before they were validated. */
    @ParameterizedTest
    @ValueSource(
            strings = {"a\r\nInjected: 1", "a\nInjected: 1", "a\u0000", "a\u0085", "a\u2028", "a\u560d\u560aInjected: 1"
            })
    void refusesSettingsThatNoHeaderCarries(String payload) {
        var config = Json.object()
                .put("url", peer.url())
                .put("roleId", "mill")
                .put("secretId", SECRET)
                .put("namespace", payload)
                .put("accessKeyId", payload)
                .put("secretAccessKey", SECRET)
                .put("region", "eu-north-1");
        for (var vault : List.of(
                new HashicorpVault(http, config),
                new AwsVault(http, config, InstantSource.system(), _ -> peer.url()))) {
            assertThatThrownBy(() -> await(vault.read("mount/path:key/name:key")))
                    .isInstanceOf(SecretFailure.class)
                    .hasMessageContaining("that no request can carry");
        }
        assertThat(peer.asked).isEmpty();
    }

    /** Users choose the path of a secret: {@code auth/token/lookup-self} would return the token of the server. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "auth/token/lookup-self/id",
                "AUTH/token/lookup-self/id",
                "auth /token/lookup-self/id",
                "sys/storage/raft/id",
                "identity/oidc/token/id",
                "cubbyhole/notes/id",
                "//auth/token/lookup-self/id",
                "secret/../auth/token/lookup-self/id",
                "secret/data/%2e%2e/auth//id"
            })
    void refusesPathsOfTheVaultItself(String path) {
        peer.say(200, "application/json", "{'auth':{'client_token':'token'},'data':{'id':'" + SECRET + "'}}");

        assertThatThrownBy(() -> await(vault("hashicorp", peer.url()).read(path)))
                .isInstanceOf(SecretFailure.class);
        assertThat(peer.asked).isEmpty();
        refuses("hashicorp", peer.url());
    }

    @Test
    void returnsNeitherTheTokenOfTheLogin_norValuesOfSystemMounts() {
        // Given
        var vault = vault("hashicorp", peer.url());
        var login = "{'auth':{'client_token':'" + SECRET + "'},";
        var answers = List.of(
                login + "'data':{'key':'" + SECRET + "'}}",
                login + "'mount_type':'ns_token','data':{'key':'7'}}",
                login + "'mount_type':'system','data':{'key':'7'}}");

        // Then
        answers.forEach(answer -> {
            peer.say(200, "application/json", answer);
            assertThatThrownBy(() -> await(vault.read("team/auth/token/lookup-self/key")))
                    .isInstanceOf(SecretFailure.class)
                    .hasMessageContaining("expected a path in a key/value engine");
        });
        peer.say(200, "application/json", login + "'mount_type':'kv','data':{'key':'7'}}");
        assertThat(await(vault.read("secret/auth/key"))).isEqualTo("7");
    }

    @Test
    void refusesAnswersInEachOtherWithoutEnd() {
        peer.say(200, "application/json", "{'auth':" + "{'a':".repeat(5_000) + "1" + "}".repeat(5_001));
        refuses("hashicorp", peer.url());
        refuses("aws", peer.url());
        peer.say(200, "application/json", Json.text(Json.object().put("SecretString", "[".repeat(5_000))));
        refuses("aws", peer.url());
    }

    /** Error messages of the vault are not forwarded, because they may contain the credentials of the request. */
    @ParameterizedTest
    @ValueSource(strings = {"hashicorp", "conjur", "aws"})
    void repeatsNothing(String vendor) {
        peer.say(400, "application/json", "{'__type':'" + SECRET + "\\r\\n','errors':['" + SECRET + "']}");
        refuses(vendor, peer.url());
    }
}
