package io.millrace.sandbox.code.worker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

class WorkerFrameTest {

    @Test
    void comesBackAsItWasWritten() throws Exception {
        byte[] wire = written(WorkerFrame.of(WorkerFrame.Type.LOG, "LOG\nä€"));

        WorkerFrame read = WorkerFrame.readFrom(in(wire), 100).orElseThrow();

        assertThat(read.type()).isEqualTo(WorkerFrame.Type.LOG);
        assertThat(read.text()).isEqualTo("LOG\nä€");
        assertThat(WorkerFrame.readFrom(in(new byte[0]), 100)).isEmpty();
    }

    @Test
    void refusesWhatIsNoFrame() throws Exception {
        byte[] wire = written(WorkerFrame.of(WorkerFrame.Type.LOG, "text"));

        assertThatThrownBy(() -> WorkerFrame.readFrom(in(wire), 3)).isInstanceOf(IOException.class);
        assertThatThrownBy(() -> WorkerFrame.readFrom(in(Arrays.copyOf(wire, 7)), 100))
                .isInstanceOf(EOFException.class);
        assertThatThrownBy(() -> WorkerFrame.readFrom(in(new byte[] {99, 0, 0, 0, 0}), 100))
                .isInstanceOf(IOException.class);
        assertThatThrownBy(() -> WorkerFrame.readFrom(in(new byte[] {'L', -1, -1, -1, -1}), 100))
                .isInstanceOf(IOException.class);
    }

    @Test
    void carriesARequest() throws Exception {
        WorkerRequest request =
                new WorkerRequest(WorkerRequest.Form.EXPRESSION, "step", "a + 'ß'", "{\"a\":1}", 5, 6, 7);

        assertThat(WorkerRequest.decoded(request.encoded())).isEqualTo(request);
    }

    private static byte[] written(WorkerFrame frame) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        frame.writeTo(new DataOutputStream(bytes));
        return bytes.toByteArray();
    }

    private static DataInputStream in(byte[] bytes) {
        return new DataInputStream(new ByteArrayInputStream(bytes));
    }
}
