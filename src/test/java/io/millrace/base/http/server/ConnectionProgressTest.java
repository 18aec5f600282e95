package io.millrace.base.http.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.netty.buffer.Unpooled;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.handler.codec.http.DefaultFullHttpResponse;
import io.netty.handler.codec.http.HttpRequestDecoder;
import io.netty.handler.codec.http.HttpResponseEncoder;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.util.ReferenceCountUtil;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** Detection of connections that are too slow, without the time in which the server must act. */
final class ConnectionProgressTest {
    private static final int RATE = 1_000;

    private long nanos;
    private long waiting;
    private final ConnectionProgress progress = new ConnectionProgress(
            new ConnectionProgress.Deadlines(
                    Duration.ofSeconds(30).toNanos(), Duration.ofSeconds(60).toNanos(), RATE),
            () -> nanos,
            () -> waiting);
    private final EmbeddedChannel channel =
            new EmbeddedChannel(new HttpRequestDecoder(), new HttpResponseEncoder(), progress);

    @Test
    void isLate_whenNoHeadersComeAfterTheBeginning() {
        passes(30);
        assertThat(progress.lateness()).isEmpty();
        passes(1);
        assertThat(progress.lateness()).isPresent();
    }

    @Test
    void closesABrokenConnection_withoutEffectOnOthers() {
        channel.pipeline().fireExceptionCaught(new IOException("Connection reset by peer"));

        channel.checkException();
        assertThat(channel.isOpen()).isFalse();
    }

    @Test
    void handsOnWhatIsNotTheConnections() {
        var defect = new IllegalStateException("a defect");

        channel.pipeline().fireExceptionCaught(defect);

        assertThat(channel.isOpen()).isTrue();
        assertThatThrownBy(channel::checkException).isSameAs(defect);
    }

    @Test
    void isLate_whenHeadersTrickle_alsoOnALaterRequest() {
        // given an answered request, and a long idle time
        arrives("GET / HTTP/1.1\r\n\r\n");
        answers();
        passes(500);
        assertThat(progress.lateness()).isEmpty();

        // when another request begins and arrives byte by byte
        arrives("G");
        for (var letter : "ET / HT".split("")) {
            passes(5);
            arrives(letter);
        }

        // then it is late
        assertThat(progress.lateness()).isPresent();
    }

    @Test
    void isNotLate_whileTheServerTakesItsTime() {
        arrives("POST / HTTP/1.1\r\nContent-Length: 2\r\n\r\nab");
        passes(100_000);

        assertThat(progress.lateness()).isEmpty();
    }

    @Test
    void isLate_whenABodyIsSlowerThanTheLeastRate() {
        // given a body that arrives at half of the minimum rate
        arrives("POST / HTTP/1.1\r\nContent-Length: 1000000\r\n\r\n");
        for (var second = 0; second < 120; second++) {
            assertThat(progress.lateness()).as("after " + second + " s").isEmpty();
            passes(1);
            arrives("x".repeat(RATE / 2));
        }

        // then it is late after the allowance of the first minute is used up
        passes(2);
        assertThat(progress.lateness()).isPresent();
    }

    @Test
    void isNotLate_whenABodyHasTheLeastRate() {
        arrives("POST / HTTP/1.1\r\nContent-Length: 1000000\r\n\r\n");
        for (var second = 0; second < 900; second++) {
            passes(1);
            arrives("x".repeat(RATE));
            assertThat(progress.lateness()).as("after " + second + " s").isEmpty();
        }
    }

    @Test
    void isNotLate_whileTheServerDoesNotRead() {
        arrives("POST / HTTP/1.1\r\nContent-Length: 1000000\r\n\r\n");
        channel.config().setAutoRead(false);
        passes(1_000);
        assertThat(progress.lateness()).isEmpty();

        channel.config().setAutoRead(true);
        passes(62);
        assertThat(progress.lateness()).isPresent();
    }

    @Test
    void isNotLate_onceAnotherProtocolIsSpoken() {
        arrives("GET / HTTP/1.1\r\nUpgrade: websocket\r\n\r\n");
        channel.writeOutbound(
                new DefaultFullHttpResponse(HttpVersion.HTTP_1_1, HttpResponseStatus.SWITCHING_PROTOCOLS));
        passes(100_000);

        assertThat(progress.lateness()).isEmpty();
    }

    private void passes(int seconds) {
        nanos += Duration.ofSeconds(seconds).toNanos();
    }

    private void arrives(String text) {
        channel.writeInbound(Unpooled.copiedBuffer(text, StandardCharsets.US_ASCII));
        for (var message = channel.readInbound(); message != null; message = channel.readInbound()) {
            ReferenceCountUtil.release(message);
        }
    }

    private void answers() {
        channel.writeOutbound(new DefaultFullHttpResponse(HttpVersion.HTTP_1_1, HttpResponseStatus.OK));
    }
}
