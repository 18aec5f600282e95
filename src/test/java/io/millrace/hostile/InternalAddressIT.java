package io.millrace.hostile;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.support.ServerSettings;
import io.millrace.support.Slow;
import io.millrace.support.Waiting;
import io.millrace.support.outside.RawListener;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/**
 * Every setting in which users give the server an address, times spellings of internal addresses: no connection reaches
 * a listener of 127.0.0.1 or ::1. The same settings reach it after the allow list names the address.
 */
@HostileKind("internal address")
@Slow(Slow.Reason.DURATION)
final class InternalAddressIT {
    /** PORT is replaced by the listener's port. */
    private static final List<String> HOSTILE = List.of(
            "http://127.0.0.1:PORT/",
            "http://localhost:PORT/",
            "http://LOCALHOST.:PORT/",
            "http://127.1:PORT/",
            "http://127.0.0.1.:PORT/",
            "http://2130706433:PORT/",
            "http://0x7f000001:PORT/",
            "http://0x7f.1:PORT/",
            "http://0177.0.0.01:PORT/",
            "http://017700000001:PORT/",
            "http://0:PORT/",
            "http://0.0.0.0:PORT/",
            "http://127.255.255.254:PORT/",
            "http://[::1]:PORT/",
            "http://[::]:PORT/",
            "http://[0:0:0:0:0:0:0:1]:PORT/",
            "http://[::ffff:127.0.0.1]:PORT/",
            "http://[::ffff:7f00:1]:PORT/",
            "http://[::127.0.0.1]:PORT/",
            "http://[64:ff9b::7f00:1]:PORT/",
            "http://[2002:7f00:1::]:PORT/",
            "http://[::1%25lo]:PORT/",
            "http://[fe80::1%25lo]:PORT/",
            "http://example.com@127.0.0.1:PORT/",
            "http://example.com:80@127.0.0.1:PORT/",
            "http://127.0.0.1:PORT\\@example.com/",
            "http:\\\\127.0.0.1:PORT/",
            "http:/127.0.0.1:PORT/",
            "http:127.0.0.1:PORT/",
            "//127.0.0.1:PORT/",
            "http://\uff11\uff12\uff17.0.0.1:PORT/",
            "http://127\u30020\u30020\u30021:PORT/",
            "http://\u24db\u24de\u24d2\u24d0\u24db\u24d7\u24de\u24e2\u24e3:PORT/",
            "http://127%2e0%2e0%2e1:PORT/",
            "http://%6c%6f%63%61%6c%68%6f%73%74:PORT/",
            "HTTP://127.0.0.1:PORT/",
            " http://127.0.0.1:PORT/ ",
            "https://127.0.0.1:PORT/",
            "file:///etc/hostname",
            "file://127.0.0.1:PORT/",
            "gopher://127.0.0.1:PORT/_GET",
            "jar:http://127.0.0.1:PORT/!/x",
            "ftp://127.0.0.1:PORT/",
            "dict://127.0.0.1:PORT/",
            "ldap://127.0.0.1:PORT/",
            "ws://127.0.0.1:PORT/",
            "unix:///var/run/docker.sock",
            "javascript:alert(1)",
            "http://127.0.0.1:65536/",
            "http://127.0.0.1:-1/");

    /** A sign-on whose provider cannot be called. */
    private static final int REFUSED_FOR_NOW = 503;

    @Test
    void reachesNoListenerInside() {
        try (var listener = RawListener.start();
                var server = settings("").startInRealTime(AddressPlaces.oauthPiece())) {
            var places = new AddressPlaces(server.signUp("ada@example.com", "Ada"));
            var wrong = new ArrayList<String>();
            for (var place : places.all().entrySet()) {
                for (var address : HOSTILE) {
                    var before = listener.connections();
                    var url = address.replace("PORT", String.valueOf(listener.port()));
                    var answer = place.getValue().apply(url);
                    if (listener.connections() != before) {
                        wrong.add(place.getKey() + " reached " + url);
                    }
                    if (answer.status() > 500 && answer.status() != REFUSED_FOR_NOW) {
                        wrong.add(place.getKey() + " at " + url + " -> " + answer);
                    }
                }
            }
            places.createEvent();
            Waiting.until(
                    "each destination is tried",
                    () -> server.count("select count(*) from event_delivery where failure is not null")
                            >= server.count("select count(*) from event_destination"));
            assertThat(wrong).isEmpty();
            assertThat(server.count("select count(*) from event_destination")).isPositive();
            assertThat(server.count("select count(*) from event_delivery where failure is null"))
                    .isZero();
            assertThat(listener.connections()).isZero();
        }
    }

    @Test
    void reachesTheListener_whenTheAllowListNamesIt() {
        try (var listener = RawListener.start();
                var server = settings("127.0.0.1").startInRealTime(AddressPlaces.oauthPiece())) {
            var places = new AddressPlaces(server.signUp("ada@example.com", "Ada"));
            Set<String> unreached = new LinkedHashSet<>();
            for (var place : places.all().entrySet()) {
                var before = listener.connections();
                var answer = place.getValue().apply(listener.url() + "/");
                if (place.getKey().equals(AddressPlaces.DELIVERY)) {
                    places.createEvent();
                    Waiting.until("an event is delivered", () -> listener.connections() > before);
                }
                if (listener.connections() == before) {
                    unreached.add(place.getKey() + " -> " + answer);
                }
            }
            assertThat(unreached).isEmpty();
        }
    }

    private static ServerSettings settings(String allowed) {
        return ServerSettings.openSignUp()
                .with("AP_API_RATE_LIMIT_AUTHN_MAX", "100000")
                .with("AP_SSRF_ALLOW_LIST", allowed);
    }
}
