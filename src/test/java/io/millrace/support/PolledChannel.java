package io.millrace.support;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import io.millrace.base.core.Json;
import io.millrace.support.ApiClient.Answer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Client of the live channel without a web socket: it receives and sends packets by requests. */
public final class PolledChannel {
    private static final String PATH = "/socket.io?EIO=4&transport=polling";
    private static final String SEPARATOR = "\u001e";

    private final ApiClient api;
    private final String session;
    private final List<String> packets = new ArrayList<>();

    private PolledChannel(ApiClient api, String session) {
        this.api = api;
        this.session = session;
    }

    /** Begins a session without the connect packet. */
    public static PolledChannel open(ApiClient api) {
        var greeting = api.get(PATH);
        assertThat(greeting.status()).as(greeting.toString()).isEqualTo(200);
        try {
            var sid = Json.parse(greeting.body().asText().substring(1)).path("sid");
            return new PolledChannel(api, sid.asText());
        } catch (JsonProcessingException malformed) {
            throw new AssertionError("expected a greeting, found " + greeting, malformed);
        }
    }

    public String session() {
        return session;
    }

    /** The same session through another server address. */
    public PolledChannel at(ApiClient other) {
        return new PolledChannel(other, session);
    }

    /** Sends packets in one request. */
    public Answer bring(String... some) {
        return api.send(
                "POST", PATH + "&sid=" + session, Map.of("Content-Type", "text/plain"), String.join(SEPARATOR, some));
    }

    /** Receives packets in one request. */
    public Answer fetch() {
        return api.get(PATH + "&sid=" + session);
    }

    /** Polls until a packet with this beginning arrives. */
    public String await(String prefix) {
        while (packets.stream().noneMatch(packet -> packet.startsWith(prefix))) {
            var fetched = fetch();
            assertThat(fetched.status()).as("%s, after %s", fetched, packets).isEqualTo(200);
            packets.addAll(List.of(fetched.body().asText().split(SEPARATOR, -1)));
        }
        return packets.stream()
                .filter(packet -> packet.startsWith(prefix))
                .findFirst()
                .orElseThrow();
    }
}
