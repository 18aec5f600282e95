package io.millrace.support.outside;

import io.millrace.support.TestFolder;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.PublicKey;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Pattern;
import org.apache.sshd.common.config.keys.KeyUtils;
import org.apache.sshd.common.config.keys.PublicKeyEntry;
import org.apache.sshd.common.config.keys.writer.openssh.OpenSSHKeyPairResourceWriter;
import org.apache.sshd.common.keyprovider.KeyPairProvider;
import org.apache.sshd.common.util.security.SecurityUtils;
import org.apache.sshd.server.SshServer;
import org.apache.sshd.server.channel.ChannelSession;
import org.apache.sshd.server.command.Command;
import org.apache.sshd.server.shell.ProcessShellFactory;

/**
 * SSH server on 127.0.0.1 that serves bare repositories with the git of this host, and accepts registered keys only.
 * Tests inspect the repositories with git itself.
 */
public final class GitServer implements AutoCloseable {
    private static final Pattern COMMAND = Pattern.compile("(git-(?:upload|receive)-pack) '([A-Za-z0-9._/-]+)'");

    private final Path folder;
    private final Set<String> letIn = ConcurrentHashMap.newKeySet();
    private final SshServer server;
    private volatile KeyPair hostKey = pair("EC");
    private volatile boolean hanging;
    private volatile boolean hung;
    private volatile Path said;

    private GitServer() {
        try {
            folder = Files.createTempDirectory("millrace-git-server");
            server = SshServer.setUpDefaultServer();
            server.setHost("127.0.0.1");
            server.setPort(0);
            server.setKeyPairProvider((KeyPairProvider) _ -> List.of(hostKey));
            server.setPublickeyAuthenticator((user, key, _) -> user.equals("git") && letIn.contains(text(key)));
            server.setCommandFactory(this::command);
            server.start();
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    public static GitServer start() {
        return new GitServer();
    }

    public int port() {
        return server.getPort();
    }

    /** A fresh private key in the OpenSSH format that the server accepts. */
    public String knownKey() {
        var pair = pair(SecurityUtils.EDDSA);
        letIn.add(text(pair.getPublic()));
        return privateText(pair);
    }

    /** A fresh private key that the server does not know. */
    public static String unknownKey() {
        return privateText(pair("RSA"));
    }

    /** Changes the host key of the server. */
    public void changeHostKey() {
        hostKey = pair("EC");
    }

    /** Sets whether commands hang after their start. */
    public void hang(boolean hangs) {
        hanging = hangs;
    }

    /** True after a command has begun to hang. */
    public boolean hasHung() {
        return hung;
    }

    /** Answers every later request with these bytes, and ignores input. */
    public void say(byte[] bytes) {
        try {
            var text = Files.write(folder.resolve("text"), bytes);
            said = Files.writeString(folder.resolve("say"), "cat '" + text + "'; cat > /dev/null");
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    /** Serves the repositories again. */
    public void sayNothing() {
        said = null;
    }

    /** Folder of a repository. */
    public Path folderOf(String name) {
        return folder.resolve(name + ".git");
    }

    /** Creates an empty bare repository; returns its URL for clients. */
    public String repository(String name) {
        run(folder, "init", "--bare", "--quiet", "--initial-branch=main", name + ".git");
        return "git@127.0.0.1:" + name + ".git";
    }

    /** Runs git in a repository; returns its output. */
    public String git(String name, String... arguments) {
        return run(folder.resolve(name + ".git"), arguments);
    }

    /** Commits files on top of the branch main as another author; a path with a null content is removed. */
    public void commit(String name, Map<String, String> files) {
        var clone = folder.resolve("clone");
        run(folder, "clone", "--quiet", name + ".git", "clone");
        try {
            run(clone, "checkout", "--quiet", "-B", "main");
            for (var file : files.entrySet()) {
                var path = clone.resolve(file.getKey());
                if (file.getValue() == null) {
                    Files.delete(path);
                } else {
                    Files.createDirectories(path.getParent());
                    Files.writeString(path, file.getValue());
                }
            }
            push(clone);
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        } finally {
            TestFolder.remove(clone);
        }
    }

    /** Commits a symbolic link. */
    public void commitLink(String name, String path, String target) {
        var clone = folder.resolve("clone");
        run(folder, "clone", "--quiet", name + ".git", "clone");
        try {
            run(clone, "checkout", "--quiet", "-B", "main");
            var link = clone.resolve(path);
            Files.createDirectories(link.getParent());
            Files.createSymbolicLink(link, Path.of(target));
            push(clone);
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        } finally {
            TestFolder.remove(clone);
        }
    }

    private static void push(Path clone) {
        run(clone, "add", "--all");
        run(clone, "-c", "user.name=Olga", "-c", "user.email=olga@example.com", "commit", "--quiet", "-m", "By hand");
        run(clone, "push", "--quiet", "origin", "main");
    }

    private Command command(ChannelSession channel, String text) throws IOException {
        var command = COMMAND.matcher(text);
        if (hanging) {
            hung = true;
            return new ProcessShellFactory("sleep 60", "sleep", "60").createShell(channel);
        }
        if (said != null) {
            return new ProcessShellFactory("sh " + said, "sh", said.toString()).createShell(channel);
        }
        if (!command.matches()) {
            throw new IOException("expected a command of git, found " + text);
        }
        var repository = folder.resolve(command.group(2)).toString();
        return new ProcessShellFactory(command.group(1) + " " + repository, command.group(1), repository)
                .createShell(channel);
    }

    @Override
    public void close() {
        try {
            server.stop(true);
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
        TestFolder.remove(folder);
    }

    private static String run(Path where, String... arguments) {
        var command = new ArrayList<String>(List.of("git"));
        command.addAll(List.of(arguments));
        return TestFolder.run(where, command);
    }

    private static KeyPair pair(String algorithm) {
        try {
            var generator = SecurityUtils.getKeyPairGenerator(algorithm);
            generator.initialize(algorithm.equals("RSA") ? 2048 : 256);
            return generator.generateKeyPair();
        } catch (GeneralSecurityException impossible) {
            throw new IllegalStateException(impossible);
        }
    }

    private static String privateText(KeyPair pair) {
        try (var text = new ByteArrayOutputStream()) {
            OpenSSHKeyPairResourceWriter.INSTANCE.writePrivateKey(pair, "a key of a test", null, text);
            return text.toString(StandardCharsets.UTF_8);
        } catch (IOException | GeneralSecurityException impossible) {
            throw new IllegalStateException(impossible);
        }
    }

    private static String text(PublicKey key) {
        return KeyUtils.getKeyType(key) + PublicKeyEntry.toString(key);
    }
}
