package io.millrace.integration.git;

import java.io.InputStream;
import java.io.OutputStream;
import java.time.Duration;
import java.util.EnumSet;
import java.util.concurrent.TimeUnit;
import org.apache.sshd.client.channel.ChannelExec;
import org.apache.sshd.client.channel.ClientChannelEvent;

/** A command at the other end of a connection, in the form that the git library asks for. */
final class RemoteProcess extends Process {
    private static final Duration END_MAX = Duration.ofSeconds(10);

    private final ChannelExec channel;
    private final InputStream output;
    private final InputStream errors;
    private final OutputStream input;

    RemoteProcess(ChannelExec channel, ByteQuota allowance, Attempt attempt) {
        this.channel = channel;
        this.input = new FencedStream(channel.getInvertedIn(), attempt);
        this.output = new LimitedStream(channel.getInvertedOut(), allowance);
        this.errors = new LimitedStream(channel.getInvertedErr(), allowance);
    }

    @Override
    public OutputStream getOutputStream() {
        return input;
    }

    @Override
    public InputStream getInputStream() {
        return output;
    }

    @Override
    public InputStream getErrorStream() {
        return errors;
    }

    @Override
    public int waitFor() {
        waitFor(END_MAX.toMillis(), TimeUnit.MILLISECONDS);
        return exitValue();
    }

    @Override
    public boolean waitFor(long time, TimeUnit unit) {
        var events = channel.waitFor(EnumSet.of(ClientChannelEvent.CLOSED), Duration.ofMillis(unit.toMillis(time)));
        return events.contains(ClientChannelEvent.CLOSED);
    }

    @Override
    public int exitValue() {
        var status = channel.getExitStatus();
        if (status != null) {
            return status;
        }
        if (channel.isClosed() || channel.isClosing()) {
            return -1;
        }
        throw new IllegalThreadStateException("the command has not ended");
    }

    @Override
    public void destroy() {
        channel.close(true);
    }
}
