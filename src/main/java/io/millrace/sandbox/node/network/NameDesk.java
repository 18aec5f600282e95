package io.millrace.sandbox.node.network;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import io.millrace.base.core.Json;
import io.millrace.base.net.DomainQueries;
import io.millrace.base.net.HostGuard;
import io.netty.channel.EventLoop;
import io.vertx.core.Future;
import java.net.Inet4Address;
import java.net.InetAddress;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Function;

/** Answers the questions of one process about names. Runs on the event loop of the gateway. */
final class NameDesk {
    /** Questions of a process that wait for an answer; its script asks 32 at a time. */
    static final int PENDING_MAX = 64;

    private static final int NAME_LENGTH_MAX = 1_024;
    private static final int ADDRESSES_MAX = 32;
    private static final int ANSWER_BYTES_MAX = 32 * 1024;

    private final HostGuard names;
    private final DomainQueries queries;
    private final ConnectionRules rules;
    private final EventLoop loop;
    private final ChannelAnswers answers;
    private final Consumer<String> violated;
    private int pending;

    NameDesk(
            HostGuard names,
            DomainQueries queries,
            ConnectionRules rules,
            EventLoop loop,
            ChannelAnswers answers,
            Consumer<String> violated) {
        this.names = names;
        this.queries = queries;
        this.rules = rules;
        this.loop = loop;
        this.answers = answers;
        this.violated = violated;
    }

    /** Answers the addresses of a name that the process may connect to. */
    void lookup(long id, JsonNode message) {
        var host = name(message.path("host"));
        if (host == null || !mayAsk()) {
            return;
        }
        answer(names.find(host), found -> addresses(id, host, found), id, _ -> "ENOTFOUND");
    }

    private void addresses(long id, String host, List<InetAddress> found) {
        if (rules.isExempt(host)) {
            rules.found(host, found);
            found(id, found);
            return;
        }
        var allowed = found.stream().filter(rules::allows).toList();
        if (allowed.isEmpty()) {
            blocked(id, found.getFirst());
        } else {
            found(id, allowed);
        }
    }

    private void found(long id, List<InetAddress> addresses) {
        var answer = ChannelAnswers.of("found", id);
        var list = answer.putArray("addresses");
        addresses.stream()
                .limit(ADDRESSES_MAX)
                .forEach(address -> list.addObject()
                        .put("address", address.getHostAddress())
                        .put("family", address instanceof Inet4Address ? 4 : 6));
        answers.send(answer);
    }

    /** Answers a query for the DNS records of a name. Its addresses are judged as those of a lookup. */
    void records(long id, JsonNode message) {
        var name = name(message.path("name"));
        var type = DomainQueries.Type.of(message.path("type").asText());
        if (name == null || !mayAsk()) {
            return;
        }
        if (type.isEmpty()) {
            pending--;
            failed(id, "ENOTIMP");
            return;
        }
        answer(queries.find(type.get(), name), found -> records(id, type.get(), found), id, DomainQueries::codeOf);
    }

    private void records(long id, DomainQueries.Type type, ArrayNode found) {
        var isAddress = type == DomainQueries.Type.A || type == DomainQueries.Type.AAAA;
        var records = Json.array();
        for (var record : found) {
            if (!isAddress || rules.allows(InetAddress.ofLiteral(record.asText()))) {
                records.add(record);
            }
        }
        if (found.isEmpty()) {
            failed(id, "ENODATA");
        } else if (records.isEmpty()) {
            blocked(id, InetAddress.ofLiteral(found.get(0).asText()));
        } else {
            var answer = ChannelAnswers.of("records", id);
            answer.set("records", records);
            if (Json.bytes(answer).length > ANSWER_BYTES_MAX) {
                failed(id, "EBADRESP");
            } else {
                answers.send(answer);
            }
        }
    }

    private String name(JsonNode text) {
        if (!text.isTextual() || text.asText().length() > NAME_LENGTH_MAX) {
            violated.accept("an invalid host name");
            return null;
        }
        return text.asText();
    }

    private boolean mayAsk() {
        if (pending >= PENDING_MAX) {
            violated.accept("more than " + PENDING_MAX + " concurrent name lookups");
            return false;
        }
        pending++;
        return true;
    }

    private <T> void answer(Future<T> asked, Consumer<T> answer, long id, Function<Throwable, String> codeOf) {
        asked.onComplete(ended -> loop.execute(() -> {
            pending--;
            if (ended.succeeded()) {
                answer.accept(ended.result());
            } else {
                failed(id, codeOf.apply(ended.cause()));
            }
        }));
    }

    private void failed(long id, String code) {
        answers.send(ChannelAnswers.of("failed", id).put("code", code));
    }

    private void blocked(long id, InetAddress address) {
        answers.send(
                ChannelAnswers.of("failed", id).put("code", "ESSRFBLOCKED").put("address", address.getHostAddress()));
    }
}
