package io.millrace.base.http.server;

import io.millrace.base.core.ApiException;
import io.millrace.base.core.ErrorCode;
import io.millrace.base.http.ErrorRenderer;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelOutboundHandlerAdapter;
import io.netty.channel.ChannelPromise;
import io.netty.handler.codec.http.DefaultFullHttpResponse;
import io.netty.handler.codec.http.FullHttpResponse;
import io.netty.handler.codec.http.HttpContent;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpResponse;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.util.ReferenceCountUtil;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Sends 503 with Retry-After instead of a large answer for which there is no memory, because too many others have not been
 * read yet. The last point at which the status can change: later handlers see only bytes.
 */
final class AnswerAdmission extends ChannelOutboundHandlerAdapter {
    private static final Logger LOG = LoggerFactory.getLogger(AnswerAdmission.class);
    private static final String RETRY_AFTER_SECONDS = "1";

    private final AnswerBudget budget;

    AnswerAdmission(AnswerBudget budget) {
        this.budget = budget;
    }

    @Override
    public void write(ChannelHandlerContext context, Object message, ChannelPromise promise) {
        if (message instanceof HttpResponse response
                && message instanceof HttpContent content
                && AnswerSlices.isLarge(content.content().readableBytes())
                && !budget.hasRoomFor(content.content().readableBytes())) {
            LOG.warn(
                    "refused a response of {} bytes: {} bytes are waiting to be read",
                    content.content().readableBytes(),
                    budget.used());
            var refusal = refusal(response);
            ReferenceCountUtil.release(message);
            var _ = context.write(refusal, promise);
            return;
        }
        var _ = context.write(message, promise);
    }

    private static FullHttpResponse refusal(HttpResponse refused) {
        var reply = ErrorRenderer.render(
                ApiException.of(ErrorCode.UNAVAILABLE, "too many large responses are waiting to be read"));
        var body = Unpooled.wrappedBuffer(reply.body().getBytes());
        var response = new DefaultFullHttpResponse(HttpVersion.HTTP_1_1, HttpResponseStatus.SERVICE_UNAVAILABLE, body);
        var headers = response.headers();
        headers.add(refused.headers());
        headers.remove(HttpHeaderNames.CONTENT_DISPOSITION);
        headers.remove(HttpHeaderNames.ETAG);
        headers.remove(HttpHeaderNames.CACHE_CONTROL);
        headers.set(HttpHeaderNames.CONTENT_TYPE, reply.contentType());
        headers.set(HttpHeaderNames.CONTENT_LENGTH, body.readableBytes());
        headers.set(HttpHeaderNames.RETRY_AFTER, RETRY_AFTER_SECONDS);
        return response;
    }
}
