package io.millrace.sandbox.node;

import io.millrace.sandbox.isolation.FileGrants;
import io.millrace.sandbox.isolation.ProcessPurpose;
import io.millrace.sandbox.node.call.HostScript;
import io.millrace.sandbox.node.call.NodeBinary;
import io.millrace.sandbox.node.call.NodeCall;
import io.millrace.sandbox.node.call.NodeSettings;
import io.millrace.sandbox.node.network.ConnectionGateway;
import io.millrace.sandbox.node.process.NodeCommand;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

final class NodeEngine implements HostEngine {
    private static final Logger LOG = LoggerFactory.getLogger(NodeEngine.class);

    private final ConnectionGateway gateway;

    NodeEngine(ConnectionGateway gateway) {
        this.gateway = gateway;
    }

    @Override
    public Optional<ConnectionGateway> gateway() {
        return Optional.of(gateway);
    }

    @Override
    public ProcessPurpose purpose() {
        return ProcessPurpose.PIECE;
    }

    @Override
    public Launcher prepare(NodeSettings settings, Path script) throws IOException {
        var search = NodeBinary.find(settings.executable(), searchPath());
        if (!(search instanceof NodeBinary.Search.Match(var node))) {
            throw new IOException(((NodeBinary.Search.Absent) search).reason());
        }
        var refusal = gateway.refusal(settings.isolation());
        if (refusal.isPresent()) {
            throw new IOException(refusal.get());
        }
        HostScript.unpack(script);
        LOG.info("npm pieces run on Node.js {}.{} ({})", node.major(), node.minor(), node.executable());
        return new NodeLauncher(node, settings.heapBytesMax(), script);
    }

    @Override
    public Optional<String> missing(NodeSettings settings) {
        return NodeBinary.isThere(settings.executable(), searchPath())
                ? gateway.refusal(settings.isolation())
                : Optional.of(NodeBinary.NOWHERE);
    }

    private static String searchPath() {
        return Optional.ofNullable(System.getenv("PATH")).orElse("");
    }

    private record NodeLauncher(NodeBinary node, long heapBytesMax, Path script) implements Launcher {
        @Override
        public List<String> command(NodeCall call, Path exchange) {
            return NodeCommand.of(node, heapBytesMax, script, call, exchange);
        }

        @Override
        public FileGrants grants(NodeCall call, Path exchange) {
            return NodeCommand.grants(node, script, call.folders().root(), exchange);
        }

        @Override
        public Map<String, String> environment(Path exchange) {
            return NodeCommand.environment(System.getenv(), exchange);
        }
    }
}
