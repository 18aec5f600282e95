package io.millrace.workspace.aiprovider;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.base.core.Json;

record AiModel(String id, String name, Type type) {
    enum Type {
        TEXT("text"),
        IMAGE("image");

        private final String word;

        Type(String word) {
            this.word = word;
        }

        String word() {
            return word;
        }
    }

    static AiModel text(String id, String name) {
        return new AiModel(id, name, Type.TEXT);
    }

    ObjectNode toJson() {
        return Json.object().put("id", id).put("name", name).put("type", type.word());
    }
}
