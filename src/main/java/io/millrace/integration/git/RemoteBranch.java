package io.millrace.integration.git;

import io.millrace.base.core.text.ShownText;
import java.io.IOException;
import java.net.URISyntaxException;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.eclipse.jgit.errors.NoRemoteRepositoryException;
import org.eclipse.jgit.errors.NotSupportedException;
import org.eclipse.jgit.errors.TooLargeObjectInPackException;
import org.eclipse.jgit.errors.TooLargePackException;
import org.eclipse.jgit.errors.TransportException;
import org.eclipse.jgit.lib.Constants;
import org.eclipse.jgit.lib.ObjectId;
import org.eclipse.jgit.lib.Repository;
import org.eclipse.jgit.transport.RemoteRefUpdate;
import org.eclipse.jgit.transport.SshTransport;
import org.eclipse.jgit.transport.Transport;
import org.eclipse.jgit.transport.URIish;

/** Branch of a remote over an open connection: fetches its tip without history and pushes a commit. */
final class RemoteBranch {
    private static final int MESSAGE_LENGTH_MAX = 300;

    /** Limit of protocol data besides objects: some hundred thousand branch names, each of which uses memory. */
    private static final long TALK_BYTES_MAX = 8L << 20;

    private final Repository repository;
    private final String remoteUrl;
    private final String ref;
    private final SshLink link;
    private final ByteQuota allowance;
    private final UnpackedObjects unpacked;
    private final long bytesMax;
    private final Attempt attempt;

    /** @param bytesMax limit of the size of a pack, and of the unpacked size of its trees and deltas */
    RemoteBranch(
            Repository repository,
            String remoteUrl,
            String branch,
            SshLink link,
            ByteQuota allowance,
            long bytesMax,
            Attempt attempt) {
        this.repository = repository;
        this.remoteUrl = remoteUrl;
        this.ref = Constants.R_HEADS + branch;
        this.link = link;
        this.allowance = allowance;
        this.unpacked = new UnpackedObjects(bytesMax);
        this.bytesMax = bytesMax;
        this.attempt = attempt;
    }

    void check() throws GitFailure {
        try (var transport = transport();
                var connection = transport.openFetch()) {
            connection.getRefs();
        } catch (IOException refused) {
            throw failure(refused);
        }
    }

    /** Fetches the tip and its tree without history; empty if the branch does not exist yet. */
    Optional<ObjectId> fetch() throws GitFailure {
        try (var transport = transport();
                var connection = transport.openFetch()) {
            var tip = connection.getRef(ref);
            if (tip == null) {
                return Optional.empty();
            }
            allowance.beginPart(bytesMax);
            connection.fetch(attempt, List.of(tip), Set.of());
            return Optional.of(tip.getObjectId());
        } catch (IOException refused) {
            throw failure(refused);
        }
    }

    /** Pushes a commit as the new tip if the tip is unchanged; never forces. */
    void push(ObjectId commit, Optional<ObjectId> before) throws GitFailure {
        try (var transport = transport()) {
            var update =
                    new RemoteRefUpdate(repository, null, commit, ref, false, null, before.orElse(ObjectId.zeroId()));
            transport.push(attempt, List.of(update));
            var status = update.getStatus();
            if (status != RemoteRefUpdate.Status.OK && status != RemoteRefUpdate.Status.UP_TO_DATE) {
                throw refusal(status, readable(update.getMessage()));
            }
        } catch (IOException refused) {
            throw failure(refused);
        }
    }

    /** Only the message distinguishes a concurrent push from a rule of the server. */
    private static GitFailure refusal(RemoteRefUpdate.Status status, String message) {
        var isOvertaken = status == RemoteRefUpdate.Status.REJECTED_REMOTE_CHANGED
                || status == RemoteRefUpdate.Status.REJECTED_NONFASTFORWARD
                || message.contains("failed to update ref")
                || message.contains("cannot lock ref");
        return new GitFailure(
                isOvertaken ? GitFailure.Kind.OVERTAKEN : GitFailure.Kind.REFUSED,
                "the git server refuses the push: " + (message.isEmpty() ? status.name() : message));
    }

    private Transport transport() throws IOException {
        try {
            var transport = Transport.open(repository, new URIish(remoteUrl));
            ((SshTransport) transport).setSshSessionFactory(link);
            transport.setObjectChecker(unpacked);
            allowance.beginPart(TALK_BYTES_MAX);
            transport.setDepth(1);
            transport.setPushThin(false);
            return transport;
        } catch (URISyntaxException | NotSupportedException impossible) {
            throw new IllegalStateException("expected the SSH form, found " + remoteUrl, impossible);
        }
    }

    private GitFailure failure(IOException cause) {
        if (attempt.isFenced()) {
            return new GitFailure(
                    GitFailure.Kind.FENCED,
                    "nothing was changed in the git repository: the lease of this server ended before the request;"
                            + " try again",
                    cause);
        }
        for (Throwable each = cause; each != null; each = each.getCause()) {
            if (each instanceof TooLargeObjectInPackException || each instanceof TooLargePackException) {
                return tooLarge();
            }
            if (each instanceof NoRemoteRepositoryException) {
                return new GitFailure(
                        GitFailure.Kind.REFUSED,
                        "the git server has no such repository, or sshPrivateKey may not access it",
                        cause);
            }
        }
        if (allowance.isExhausted() || unpacked.isExhausted()) {
            return tooLarge();
        }
        var text = cause instanceof TransportException ? cause.getMessage() : "the connection broke off";
        return new GitFailure(GitFailure.Kind.REFUSED, "the git server refused the request: " + readable(text), cause);
    }

    static GitFailure tooLarge() {
        return new GitFailure(
                GitFailure.Kind.TOO_LARGE, "the repository holds more than AP_GIT_REPOSITORY_SIZE_MB allows");
    }

    /** Shortens a message of the remote and removes terminal control characters. */
    private static String readable(String text) {
        return text == null ? "" : ShownText.of(text, MESSAGE_LENGTH_MAX);
    }
}
