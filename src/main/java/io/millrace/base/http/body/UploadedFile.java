package io.millrace.base.http.body;

import com.fasterxml.jackson.databind.node.BinaryNode;
import java.util.Objects;

/** A file of a form, as the binary value of its field: with the name and the type that its sender gave it. */
public final class UploadedFile extends BinaryNode {
    private static final long serialVersionUID = 1L;

    private final String fileName;
    private final String contentType;

    UploadedFile(byte[] bytes, String fileName, String contentType) {
        super(bytes);
        this.fileName = Objects.requireNonNullElse(fileName, "");
        this.contentType = Objects.requireNonNullElse(contentType, "");
    }

    /** Empty text if the sender gave none. */
    public String fileName() {
        return fileName;
    }

    /** Empty text if the sender gave none. */
    public String contentType() {
        return contentType;
    }

    /** Two files are the same when their bytes are: names do not matter to a JSON value. */
    @Override
    public boolean equals(Object other) {
        return super.equals(other);
    }

    @Override
    public int hashCode() {
        return super.hashCode();
    }
}
