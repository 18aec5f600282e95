package io.millrace.base.http.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelOutboundHandlerAdapter;
import io.netty.channel.ChannelPromise;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.handler.codec.http.DefaultFullHttpResponse;
import io.netty.handler.codec.http.FullHttpResponse;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpVersion;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Large responses are sent in slices; memory use until the client has read them. */
final class AnswerSlicesTest {
    private static final int MEGABYTE = 1 << 20;
    private static final int HELD_BYTES_MAX = 256 * 1024;

    private boolean heapIsFull;
    private final AnswerBudget budget = new AnswerBudget(3 * MEGABYTE, _ -> !heapIsFull);
    private final AnswerSlices slices = new AnswerSlices(budget);
    private final Caller caller = new Caller();
    private final EmbeddedChannel channel = new EmbeddedChannel(caller, slices);

    /** Socket whose peer reads when the test calls for it. */
    private static final class Caller extends ChannelOutboundHandlerAdapter {
        private final ArrayDeque<ByteBuf> held = new ArrayDeque<>();
        private final ArrayDeque<ChannelPromise> promises = new ArrayDeque<>();
        private final ByteArrayOutputStream read = new ByteArrayOutputStream();

        @Override
        public void write(ChannelHandlerContext context, Object message, ChannelPromise promise) {
            held.add((ByteBuf) message);
            promises.add(promise);
            // Like the outbound buffer of a real socket that holds a slice.
            context.channel().unsafe().outboundBuffer().setUserDefinedWritability(1, false);
        }

        int heldBytes() {
            return held.stream().mapToInt(ByteBuf::readableBytes).sum();
        }

        void readOne(EmbeddedChannel channel) {
            var bytes = held.remove();
            read.writeBytes(ByteBufUtil.getBytes(bytes));
            bytes.release();
            var promise = promises.remove();
            if (!promise.isVoid()) {
                promise.trySuccess();
            }
            channel.unsafe().outboundBuffer().setUserDefinedWritability(1, true);
            channel.runPendingTasks();
        }
    }

    @AfterEach
    void nothingCounts_onceTheConnectionIsOver() {
        var _ = channel.close();
        caller.held.forEach(ByteBuf::release);
        assertThat(budget.used()).isZero();
    }

    @Test
    void handsOverWhatIsRead_inItsOrder() {
        // given a large response, and small ones before and after it
        var bytes = new byte[2 * MEGABYTE + 17];
        new Random(7).nextBytes(bytes);
        var first = channel.write(Unpooled.wrappedBuffer("before".getBytes(StandardCharsets.UTF_8)));
        caller.readOne(channel);
        var large = Unpooled.wrappedBuffer(bytes);
        var second = channel.writeAndFlush(large);
        var third = channel.writeAndFlush(Unpooled.wrappedBuffer("behind".getBytes(StandardCharsets.UTF_8)));

        // when the caller reads slowly
        assertThat(budget.used()).isGreaterThan(MEGABYTE);
        while (!caller.held.isEmpty()) {
            assertThat(caller.heldBytes()).isLessThanOrEqualTo(HELD_BYTES_MAX);
            assertThat(third.isDone()).isFalse();
            caller.readOne(channel);
        }

        // then everything is sent, in order, and its memory is released
        var expected = new ByteArrayOutputStream();
        expected.writeBytes("before".getBytes(StandardCharsets.UTF_8));
        expected.writeBytes(bytes);
        expected.writeBytes("behind".getBytes(StandardCharsets.UTF_8));
        assertThat(caller.read.toByteArray()).isEqualTo(expected.toByteArray());
        assertThat(first.isSuccess() && second.isSuccess() && third.isSuccess()).isTrue();
        assertThat(large.refCnt()).isZero();
        assertThat(slices.waitingBytes()).isZero();
    }

    @Test
    void letsGo_whenTheCallerHasGone() {
        var large = Unpooled.wrappedBuffer(new byte[MEGABYTE]);
        var written = channel.writeAndFlush(large);
        assertThat(budget.used()).isPositive();

        var _ = channel.close();
        caller.held.forEach(ByteBuf::release);
        caller.held.clear();

        assertThat(written.isDone() && !written.isSuccess()).isTrue();
        assertThat(large.refCnt()).isZero();
        assertThat(budget.used()).isZero();
    }

    @Test
    void refusesALargeAnswer_whenOthersHaveNotBeenRead() {
        // given unread responses that leave one megabyte of the budget
        budget.add(2 * MEGABYTE);

        // then a larger response is refused, and a smaller one is not
        assertThat(sent(MEGABYTE + 1).status()).isEqualTo(HttpResponseStatus.SERVICE_UNAVAILABLE);
        assertThat(sent(MEGABYTE + 1).headers().get("Retry-After")).isEqualTo("1");
        assertThat(sent(MEGABYTE).status()).isEqualTo(HttpResponseStatus.OK);
        budget.add(MEGABYTE);
        assertThat(sent(64 * 1024).status()).isEqualTo(HttpResponseStatus.OK);
        budget.add(-3 * MEGABYTE);
    }

    @Test
    void refusesALargeAnswer_whenSomethingElseTakesTheMemory() {
        heapIsFull = true;
        assertThat(sent(MEGABYTE).status()).isEqualTo(HttpResponseStatus.OK);
        budget.add(1);

        assertThat(sent(MEGABYTE).status()).isEqualTo(HttpResponseStatus.SERVICE_UNAVAILABLE);
        assertThat(sent(64 * 1024).status()).isEqualTo(HttpResponseStatus.OK);
        budget.add(-1);
    }

    @Test
    void sendsOneAnswer_howeverLarge() {
        assertThat(sent(4 * MEGABYTE).status()).isEqualTo(HttpResponseStatus.OK);
    }

    private FullHttpResponse sent(int bytes) {
        var admission = new EmbeddedChannel(new AnswerAdmission(budget));
        var response = new DefaultFullHttpResponse(
                HttpVersion.HTTP_1_1, HttpResponseStatus.OK, Unpooled.wrappedBuffer(new byte[bytes]));
        response.headers().set("Content-Length", bytes);
        admission.writeOutbound(response);
        FullHttpResponse sent = admission.readOutbound();
        assertThat(sent.headers().getInt("Content-Length"))
                .isEqualTo(sent.content().readableBytes());
        sent.release();
        return sent;
    }
}
