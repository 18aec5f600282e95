package io.millrace.piece.model;

import io.vertx.core.buffer.Buffer;

/** An image or a document in a message. */
public record ModelFile(String mimeType, Buffer data) {
    public boolean isImage() {
        return mimeType.startsWith("image/");
    }

    @Override
    public String toString() {
        return "ModelFile[" + mimeType + ", " + data.length() + " bytes]";
    }
}
