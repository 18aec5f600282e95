package io.millrace.sandbox.code.worker;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;

/**
 * One call as sent to a worker.
 *
 * @param key id of the project; calls of different keys never share a realm
 * @param inputs JSON text: the argument of the code, or the globals of an expression
 */
public record WorkerRequest(
        Form form,
        String key,
        String source,
        String inputs,
        long timeLimitMs,
        long logLimitBytes,
        long outputLimitBytes) {

    public enum Form {
        COMMON_JS,
        MODULE,
        /** One expression; the members of the inputs are its globals. */
        EXPRESSION
    }

    public byte[] encoded() {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream(source.length() + inputs.length() + 128);
        try (DataOutputStream out = new DataOutputStream(bytes)) {
            out.writeUTF(form.name());
            writeText(out, key);
            writeText(out, source);
            writeText(out, inputs);
            out.writeLong(timeLimitMs);
            out.writeLong(logLimitBytes);
            out.writeLong(outputLimitBytes);
        } catch (IOException impossible) {
            throw new IllegalStateException("writing to memory failed", impossible);
        }
        return bytes.toByteArray();
    }

    public static WorkerRequest decoded(byte[] body) throws IOException {
        try (DataInputStream in = new DataInputStream(new ByteArrayInputStream(body))) {
            return new WorkerRequest(
                    Form.valueOf(in.readUTF()),
                    readText(in),
                    readText(in),
                    readText(in),
                    in.readLong(),
                    in.readLong(),
                    in.readLong());
        }
    }

    private static void writeText(DataOutputStream out, String text) throws IOException {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        out.writeInt(bytes.length);
        out.write(bytes);
    }

    private static String readText(DataInputStream in) throws IOException {
        return new String(in.readNBytes(in.readInt()), StandardCharsets.UTF_8);
    }
}
