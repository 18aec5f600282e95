package io.millrace.base.net;

import io.netty.bootstrap.Bootstrap;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.DatagramChannel;
import io.netty.channel.socket.nio.NioDatagramChannel;
import io.netty.handler.codec.dns.DatagramDnsQuery;
import io.netty.handler.codec.dns.DatagramDnsQueryDecoder;
import io.netty.handler.codec.dns.DatagramDnsResponse;
import io.netty.handler.codec.dns.DatagramDnsResponseEncoder;
import io.netty.handler.codec.dns.DefaultDnsRawRecord;
import io.netty.handler.codec.dns.DnsQuestion;
import io.netty.handler.codec.dns.DnsRecord;
import io.netty.handler.codec.dns.DnsRecordType;
import io.netty.handler.codec.dns.DnsResponseCode;
import io.netty.handler.codec.dns.DnsSection;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.dns.AddressResolverOptions;
import java.io.ByteArrayOutputStream;
import java.net.InetAddress;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * Name server on 127.0.0.1 whose answers change with each query and must not be cached. Only a separate Vert.x instance
 * queries it.
 */
final class NameServer implements AutoCloseable {
    private final MultiThreadIoEventLoopGroup loops = new MultiThreadIoEventLoopGroup(1, NioIoHandler.newFactory());
    private final Map<String, Deque<List<String>>> answers = new ConcurrentHashMap<>();
    private final List<String> asked = new CopyOnWriteArrayList<>();
    private final DatagramChannel channel;
    private final Vertx vertx;

    NameServer() throws InterruptedException {
        channel = (DatagramChannel) new Bootstrap()
                .group(loops)
                .channel(NioDatagramChannel.class)
                .handler(new ChannelInitializer<DatagramChannel>() {
                    @Override
                    protected void initChannel(DatagramChannel opened) {
                        opened.pipeline()
                                .addLast(
                                        new DatagramDnsQueryDecoder(),
                                        new DatagramDnsResponseEncoder(),
                                        new Answering());
                    }
                })
                .bind("127.0.0.1", 0)
                .sync()
                .channel();
        vertx = Vertx.vertx(new VertxOptions()
                .setAddressResolverOptions(new AddressResolverOptions()
                        .addServer("127.0.0.1:" + channel.localAddress().getPort())
                        .setHostsValue(Buffer.buffer("127.0.0.1 localhost\n"))
                        .setSearchDomains(List.of())
                        .setCacheMaxTimeToLive(0)
                        .setQueryTimeout(500)
                        .setMaxQueries(3)));
    }

    Vertx vertx() {
        return vertx;
    }

    /**
     * Sets the answers for a name, one for each query of its IPv4 address; the last answer repeats. An answer consists
     * of addresses of both kinds, or of other names after {@code =}; an empty one is no response.
     */
    @SafeVarargs
    final void tell(String name, List<String>... inTurn) {
        var waiting = new ArrayDeque<List<String>>();
        for (var answer : inTurn) {
            waiting.add(answer);
        }
        answers.put(name, waiting);
    }

    /** Names whose IPv4 address was queried, in order. */
    List<String> asked() {
        return asked;
    }

    private final class Answering extends SimpleChannelInboundHandler<DatagramDnsQuery> {
        @Override
        protected void channelRead0(ChannelHandlerContext context, DatagramDnsQuery query) throws Exception {
            DnsQuestion question = query.recordAt(DnsSection.QUESTION);
            var name = question.name().substring(0, question.name().length() - 1);
            var isFirst = question.type().equals(DnsRecordType.A);
            if (isFirst) {
                asked.add(name);
            }
            var told = told(name, isFirst);
            if (told != null && told.isEmpty()) {
                return;
            }
            var response = new DatagramDnsResponse(
                    /* sender= */ query.recipient(), /* recipient= */ query.sender(), query.id());
            response.addRecord(DnsSection.QUESTION, question);
            if (told == null) {
                response.setCode(DnsResponseCode.NXDOMAIN);
            } else {
                for (var one : told) {
                    add(response, question, one);
                }
            }
            var _ = context.writeAndFlush(response);
        }

        private List<String> told(String name, boolean isFirst) {
            var inTurn = answers.get(name);
            if (inTurn == null) {
                return null;
            }
            return isFirst && inTurn.size() > 1 ? inTurn.poll() : inTurn.peek();
        }

        private void add(DatagramDnsResponse response, DnsQuestion question, String one) {
            if (one.startsWith("=")) {
                response.addRecord(
                        DnsSection.ANSWER, record(question.name(), DnsRecordType.CNAME, name(one.substring(1))));
                var further = told(one.substring(1), false);
                if (further != null && further.stream().noneMatch(each -> each.startsWith("="))) {
                    further.forEach(each -> address(response, one.substring(1) + ".", question.type(), each));
                }
            } else {
                address(response, question.name(), question.type(), one);
            }
        }

        /** An IPv4-mapped IPv6 address is returned as an IPv6 record. */
        private void address(DatagramDnsResponse response, String name, DnsRecordType type, String text) {
            var isLong = text.indexOf(':') >= 0;
            if (isLong == type.equals(DnsRecordType.AAAA)) {
                var bytes = InetAddress.ofLiteral(text).getAddress();
                response.addRecord(
                        DnsSection.ANSWER, record(name, type, isLong && bytes.length == 4 ? mapped(bytes) : bytes));
            }
        }

        private static byte[] mapped(byte[] four) {
            var bytes = new byte[16];
            bytes[10] = -1;
            bytes[11] = -1;
            System.arraycopy(four, 0, bytes, 12, 4);
            return bytes;
        }

        private static DnsRecord record(String name, DnsRecordType type, byte[] content) {
            return new DefaultDnsRawRecord(name, type, 0, Unpooled.wrappedBuffer(content));
        }

        private static byte[] name(String text) {
            var bytes = new ByteArrayOutputStream();
            for (var label : text.split("\\.")) {
                bytes.write(label.length());
                bytes.writeBytes(label.getBytes(StandardCharsets.US_ASCII));
            }
            bytes.write(0);
            return bytes.toByteArray();
        }
    }

    @Override
    public void close() {
        channel.close().syncUninterruptibly();
        var _ = loops.shutdownGracefully();
        LocalServer.result(vertx.close());
    }
}
