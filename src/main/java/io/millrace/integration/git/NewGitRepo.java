package io.millrace.integration.git;

import io.millrace.base.core.input.Fields;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import org.eclipse.jgit.errors.CorruptObjectException;
import org.eclipse.jgit.lib.Constants;
import org.eclipse.jgit.lib.ObjectChecker;
import org.eclipse.jgit.lib.Repository;

/**
 * Requested repository of a project (seed endpoint 9, contract admin-api 10.1).
 *
 * @param sshPrivateKey private key, never returned by the API
 */
public record NewGitRepo(String remoteUrl, String branch, GitBranchType branchType, String sshPrivateKey, String slug) {
    private static final Pattern REMOTE_URL = Pattern.compile("^git@[A-Za-z0-9.-]+:[A-Za-z0-9._/-]+(\\.git)?$");
    private static final Pattern BRANCH = Pattern.compile("^(?!-)[A-Za-z0-9._/-]{1,255}$");
    private static final Pattern SLUG = Pattern.compile("^(?!\\.{1,2}$)[A-Za-z0-9._-]{1,128}$");

    /** Longer than any host name and path that a server takes. */
    private static final int URL_LENGTH_MAX = 2048;

    /** An RSA key of 16384 bits is shorter. */
    private static final int KEY_LENGTH_MAX = 32_768;

    /** Problems are recorded in the body. */
    static NewGitRepo read(Fields body) {
        return new NewGitRepo(
                text(
                        body,
                        "remoteUrl",
                        "invalidGitRepoRemoteUrl",
                        url -> url.length() <= URL_LENGTH_MAX && matches(REMOTE_URL, url)),
                text(body, "branch", "invalidGitRepoBranch", branch -> matches(BRANCH, branch) && isRef(branch)),
                body.optionalOption("branchType", GitBranchType.class).orElse(GitBranchType.DEVELOPMENT),
                body.text("sshPrivateKey", 1, KEY_LENGTH_MAX),
                text(body, "slug", "invalidGitRepoSlug", slug -> matches(SLUG, slug) && isFolder(slug)));
    }

    private static String text(Fields body, String name, String refusal, Predicate<String> isGood) {
        var text = body.text(name);
        if (body.raw(name).isTextual() && !isGood.test(text)) {
            body.refuse(name, refusal);
        }
        return text;
    }

    private static boolean matches(Pattern pattern, String text) {
        return pattern.matcher(text).matches();
    }

    /** Git takes fewer names than the pattern does: no {@code a..b}, no {@code x.lock}. */
    private static boolean isRef(String branch) {
        return Repository.isValidRefName(Constants.R_HEADS + branch);
    }

    /** Git rejects folders with the name {@code .git} in any spelling. */
    private static boolean isFolder(String slug) {
        try {
            new ObjectChecker().checkPathSegment(Constants.encode(slug), 0, slug.length());
            return true;
        } catch (CorruptObjectException refused) {
            return false;
        }
    }

    /** A key is never printed. */
    @Override
    public String toString() {
        return "NewGitRepo[" + remoteUrl + ", " + branch + ", " + slug + "]";
    }
}
