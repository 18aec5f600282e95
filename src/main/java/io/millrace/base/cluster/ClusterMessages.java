package io.millrace.base.cluster;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationContext;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.deser.std.StdDeserializer;
import com.fasterxml.jackson.databind.module.SimpleModule;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.ser.std.ToStringSerializer;
import io.millrace.base.bus.ClusterNotice;
import io.millrace.base.core.Json;
import java.io.IOException;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;

/** Nodes of another release may send notices that this one does not know. */
final class ClusterMessages {
    /** Instants are transmitted with nanoseconds. */
    private static final ObjectMapper MAPPER = Json.mapper()
            .copy()
            .registerModule(new SimpleModule()
                    .addSerializer(Instant.class, ToStringSerializer.instance)
                    .addDeserializer(Instant.class, new InstantText()));

    private final String nodeId;
    private final Map<String, Class<? extends ClusterNotice>> types;

    sealed interface Message {
        /** Requests every node to read the log of changes, and to confirm that. */
        record Ask(String from, long number) implements Message {}

        record Confirmed(String from, long number) implements Message {}

        record Watches(String from, Set<String> topics) implements Message {}

        record Notices(List<ClusterNotice> notices) implements Message {}
    }

    ClusterMessages(String nodeId, List<Class<? extends ClusterNotice>> types) {
        this.nodeId = nodeId;
        this.types = types.stream().collect(Collectors.toMap(ClusterMessages::nameOf, Function.identity()));
    }

    /** Package names may differ between releases. */
    private static String nameOf(Class<?> type) {
        return type.getDeclaringClass() == null
                ? type.getSimpleName()
                : type.getDeclaringClass().getSimpleName() + "." + type.getSimpleName();
    }

    String ask(long number) {
        return Json.text(message().put("ask", number));
    }

    String confirmed(String to, long number) {
        return Json.text(message().put("to", to).put("confirmed", number));
    }

    String watches(Set<String> topics) {
        var message = message();
        topics.forEach(message.putArray("watches")::add);
        return Json.text(message);
    }

    ObjectNode notice(ClusterNotice notice) {
        return MAPPER.<ObjectNode>valueToTree(notice).put("type", nameOf(notice.getClass()));
    }

    String notices(List<ObjectNode> notices) {
        var message = message();
        message.putArray("notices").addAll(notices);
        return Json.text(message);
    }

    private ObjectNode message() {
        return Json.object().put("from", nodeId);
    }

    /** Parses a message; empty when this node sent it, when it is addressed to another node, or when its kind is unknown. */
    Optional<Message> read(String text) throws JsonProcessingException {
        var json = Json.parse(text);
        var from = json.path("from").asText();
        if (from.equals(nodeId) || json.has("to") && !json.path("to").asText().equals(nodeId)) {
            return Optional.empty();
        }
        if (json.has("ask")) {
            return Optional.of(new Message.Ask(from, json.path("ask").asLong()));
        }
        if (json.has("confirmed")) {
            return Optional.of(
                    new Message.Confirmed(from, json.path("confirmed").asLong()));
        }
        if (json.has("watches")) {
            var topics =
                    json.path("watches").valueStream().map(JsonNode::asText).collect(Collectors.toSet());
            return Optional.of(new Message.Watches(from, topics));
        }
        return json.path("notices") instanceof ArrayNode notices
                ? Optional.of(new Message.Notices(notices.valueStream()
                        .flatMap(each -> notice(each).stream())
                        .toList()))
                : Optional.empty();
    }

    private Optional<ClusterNotice> notice(JsonNode json) {
        var type = types.get(json.path("type").asText());
        if (type == null) {
            return Optional.empty();
        }
        var fields = ((ObjectNode) json).deepCopy();
        fields.remove(List.of("type", "topic"));
        return Optional.of(MAPPER.convertValue(fields, type));
    }

    private static final class InstantText extends StdDeserializer<Instant> {
        private static final long serialVersionUID = 1;

        InstantText() {
            super(Instant.class);
        }

        @Override
        public Instant deserialize(JsonParser parser, DeserializationContext context) throws IOException {
            return Instant.parse(parser.getText());
        }
    }
}
