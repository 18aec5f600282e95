package io.millrace.base.http.socket;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;

/**
 * Splits long frames of a web socket into short ones of the same message (RFC 6455, 5.2 and 5.4), before a decoder collects
 * them: clients send a message of megabytes as one frame, and a decoder keeps each frame until it is whole, in memory outside
 * every budget. The output equals that of a client that splits its messages itself.
 */
final class FrameSplitter extends ChannelInboundHandlerAdapter {
    /** Size of one part; a multiple of the mask's four bytes, so that each part begins with the same of them. */
    static final int PART_BYTES = 32 * 1024;

    private static final int FINAL = 0x80;
    private static final int RESERVED = 0x70;
    private static final int OPCODE = 0x0f;
    private static final int CONTROL = 0x08;
    private static final int MASKED = 0x80;
    private static final int LENGTH = 0x7f;
    private static final int LENGTH_OF_16_BITS = 126;
    private static final int LENGTH_OF_64_BITS = 127;
    private static final int MASK_BYTES = 4;

    private final byte[] head = new byte[2 + Long.BYTES + MASK_BYTES];

    private int headLength;

    /** Missing bytes of the frame, and of its current part. */
    private long left;

    private long partLeft;
    private boolean isFirstPart;

    @Override
    public void channelRead(ChannelHandlerContext context, Object message) {
        if (!(message instanceof ByteBuf bytes)) {
            context.fireChannelRead(message);
            return;
        }
        try {
            while (bytes.isReadable()) {
                if (left == 0) {
                    readHead(context, bytes);
                } else {
                    passOn(context, bytes);
                }
            }
        } finally {
            bytes.release();
        }
    }

    private void readHead(ChannelHandlerContext context, ByteBuf bytes) {
        head[headLength++] = bytes.readByte();
        if (headLength < 2 || headLength < headBytes()) {
            return;
        }
        left = length();
        headLength = 0;
        isFirstPart = true;
        if (!isToBeSplit()) {
            partLeft = left;
            context.fireChannelRead(context.alloc().buffer(headBytes()).writeBytes(head, 0, headBytes()));
        }
    }

    private int headBytes() {
        return 2 + lengthBytes() + (isMasked() ? MASK_BYTES : 0);
    }

    private int lengthBytes() {
        return switch (head[1] & LENGTH) {
            case LENGTH_OF_16_BITS -> Short.BYTES;
            case LENGTH_OF_64_BITS -> Long.BYTES;
            default -> 0;
        };
    }

    private long length() {
        var bytes = lengthBytes();
        var length = bytes == 0 ? head[1] & LENGTH : 0L;
        for (var at = 0; at < bytes; at++) {
            length = length << Byte.SIZE | head[2 + at] & 0xff;
        }
        // A length with the first bit set is forbidden; no client can send so much.
        return length < 0 ? Long.MAX_VALUE : length;
    }

    private boolean isMasked() {
        return (head[1] & MASKED) != 0;
    }

    /** Long control frames are invalid: the decoder must see them whole to reject them. */
    private boolean isToBeSplit() {
        return left > PART_BYTES && (head[0] & CONTROL) == 0;
    }

    private void passOn(ChannelHandlerContext context, ByteBuf bytes) {
        if (partLeft == 0) {
            partLeft = Math.min(left, PART_BYTES);
            context.fireChannelRead(headOfPart(context));
            isFirstPart = false;
        }
        var length = (int) Math.min(bytes.readableBytes(), partLeft);
        left -= length;
        partLeft -= length;
        context.fireChannelRead(bytes.readRetainedSlice(length));
    }

    private ByteBuf headOfPart(ChannelHandlerContext context) {
        var isLast = partLeft == left;
        var part = context.alloc().buffer(head.length);
        part.writeByte((isLast ? head[0] & FINAL : 0) | (isFirstPart ? head[0] & (RESERVED | OPCODE) : 0));
        var mask = isMasked() ? MASKED : 0;
        if (partLeft < LENGTH_OF_16_BITS) {
            part.writeByte(mask | (int) partLeft);
        } else {
            part.writeByte(mask | LENGTH_OF_16_BITS).writeShort((int) partLeft);
        }
        return isMasked() ? part.writeBytes(head, 2 + lengthBytes(), MASK_BYTES) : part;
    }
}
