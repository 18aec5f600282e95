package io.millrace.integration.git;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.security.KeyPair;
import java.security.PublicKey;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.sshd.client.SshClient;
import org.apache.sshd.client.auth.pubkey.UserAuthPublicKeyFactory;
import org.apache.sshd.client.config.hosts.HostConfigEntryResolver;
import org.apache.sshd.client.session.ClientSession;
import org.apache.sshd.common.NamedFactory;
import org.apache.sshd.common.config.keys.FilePasswordProvider;
import org.apache.sshd.common.config.keys.KeyUtils;
import org.apache.sshd.common.config.keys.PublicKeyEntry;
import org.apache.sshd.common.keyprovider.KeyIdentityProvider;
import org.apache.sshd.common.signature.Signature;
import org.eclipse.jgit.transport.CredentialsProvider;
import org.eclipse.jgit.transport.RemoteSession;
import org.eclipse.jgit.transport.SshSessionFactory;
import org.eclipse.jgit.transport.URIish;
import org.eclipse.jgit.util.FS;

/**
 * SSH connection of one operation: to a checked address, with one client key, to a server with the pinned host key. Reads
 * nothing of the host's SSH configuration, keys or agent.
 */
final class SshLink extends SshSessionFactory implements AutoCloseable {
    private static final String USER = "git";

    /**
     * Host of the connection.
     *
     * @param addresses checked addresses, best first
     * @param hostKey pinned host key, as in a known_hosts file; empty at the first connection
     */
    record SshHost(List<InetAddress> addresses, int port, Optional<String> hostKey) {}

    private final SshHost server;
    private final Duration timeout;
    private final ByteQuota allowance;
    private final Attempt attempt;
    private final AtomicReference<String> hostKey = new AtomicReference<>();
    private final SshClient client = SshClient.setUpDefaultClient();
    private ClientSession session;

    SshLink(SshHost server, KeyPair identity, Duration timeout, ByteQuota allowance, Attempt attempt) {
        this.server = server;
        this.timeout = timeout;
        this.allowance = allowance;
        this.attempt = attempt;
        client.setHostConfigEntryResolver(HostConfigEntryResolver.EMPTY);
        client.setFilePasswordProvider(FilePasswordProvider.EMPTY);
        client.setKeyIdentityProvider(KeyIdentityProvider.wrapKeyPairs(identity));
        client.setUserAuthFactories(List.of(UserAuthPublicKeyFactory.INSTANCE));
        client.setServerKeyVerifier((_, _, key) -> isExpected(key));
        client.setAgentFactory(null);
        client.setNioWorkers(1);
        server.hostKey().ifPresent(this::askFor);
        client.start();
    }

    /** A server has host keys of several types: prefers the type of the pinned key. */
    private void askFor(String key) {
        var type = key.substring(0, key.indexOf(' '));
        Comparator<NamedFactory<Signature>> isOther = Comparator.comparing(
                factory -> !KeyUtils.getCanonicalKeyType(factory.getName()).equals(type));
        client.setSignatureFactories(
                client.getSignatureFactories().stream().sorted(isOther).toList());
    }

    private boolean isExpected(PublicKey key) {
        hostKey.set(PublicKeyEntry.toString(key));
        return server.hostKey().isEmpty() || server.hostKey().get().equals(hostKey.get());
    }

    void open() throws GitFailure {
        try {
            session = connected();
            session.auth().verify(timeout);
        } catch (IOException | IllegalStateException refused) {
            throw new GitFailure(GitFailure.Kind.REFUSED, reason(), refused);
        }
    }

    private ClientSession connected() throws IOException, GitFailure {
        IOException last = null;
        for (var address : server.addresses()) {
            try {
                // Without a host name, so that the checked address is used and the name is not resolved again.
                SocketAddress target =
                        new InetSocketAddress(InetAddress.getByAddress(address.getAddress()), server.port());
                return client.connect(USER, target, null, null).verify(timeout).getSession();
            } catch (IOException unreachable) {
                last = unreachable;
            }
        }
        throw new GitFailure(GitFailure.Kind.REFUSED, "the git server cannot be reached", last);
    }

    private String reason() {
        if (hostKey.get() == null) {
            // Or this side closed it at the timeout, before any data arrived.
            return "the git server ended the connection";
        }
        return isKnown()
                ? "the git server rejected the SSH key (sshPrivateKey)"
                : "the host key of the git server has changed: if that is intended, delete the repository here and"
                        + " add it again";
    }

    private boolean isKnown() {
        return server.hostKey().isEmpty() || server.hostKey().get().equals(hostKey.get());
    }

    /** The key that the server has proved to have. */
    String hostKey() {
        return hostKey.get();
    }

    @Override
    public RemoteSession getSession(URIish uri, CredentialsProvider credentials, FS files, int timeoutMs) {
        return new RemoteSession() {
            @Override
            public Process exec(String command, int timeoutSeconds) throws IOException {
                var channel = session.createExecChannel(command);
                channel.open().verify(timeout);
                return new RemoteProcess(channel, allowance, attempt);
            }

            @Override
            public void disconnect() {
                // The connection is closed with its operation.
            }
        };
    }

    @Override
    public String getType() {
        return "millrace";
    }

    /** Closes the connection; another thread that reads from it gets the end of the stream. Thread-safe. */
    @Override
    public void close() {
        client.close(true);
    }
}
