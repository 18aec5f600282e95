package io.millrace.account.mail;

import io.millrace.base.core.memory.CountedStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A socket with a limit of received bytes: the library would buffer a line without an end. */
final class BoundedSocket extends Socket {
    private static final Logger LOG = LoggerFactory.getLogger(BoundedSocket.class);
    private static final long RECEIVED_BYTES_MAX = 1024 * 1024;

    private InputStream bounded;

    @Override
    public synchronized InputStream getInputStream() throws IOException {
        if (bounded == null) {
            bounded = new LimitedInput(super.getInputStream());
        }
        return bounded;
    }

    /** Closes the connection. A failure is only logged: the caller has the result or does not need it. */
    @Override
    public void close() {
        try {
            super.close();
        } catch (IOException failure) {
            LOG.debug("the connection to a mail server failed", failure);
        }
    }

    private static final class LimitedInput extends CountedStream {
        private long received;

        private LimitedInput(InputStream in) {
            super(in);
        }

        @Override
        protected void count(long more) throws IOException {
            received += more;
            if (received > RECEIVED_BYTES_MAX) {
                throw new IOException("the mail server's reply is longer than " + RECEIVED_BYTES_MAX + " bytes");
            }
        }
    }
}
