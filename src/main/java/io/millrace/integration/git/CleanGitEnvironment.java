package io.millrace.integration.git;

import org.eclipse.jgit.lib.Config;
import org.eclipse.jgit.storage.file.FileBasedConfig;
import org.eclipse.jgit.util.FS;
import org.eclipse.jgit.util.SystemReader;

/**
 * Environment without git configuration: no system or user configuration, no environment variables of git. Operations on a
 * project's repository must not depend on the account of the server process.
 */
final class CleanGitEnvironment extends SystemReader.Delegate {
    private static final String GIT_VARIABLES = "GIT_";

    private CleanGitEnvironment(SystemReader host) {
        super(host);
    }

    /** Installs this environment for the whole process: the library has one global instance. */
    static synchronized void install() {
        var host = SystemReader.getInstance();
        if (!(host instanceof CleanGitEnvironment)) {
            SystemReader.setInstance(new CleanGitEnvironment(host));
        }
    }

    @Override
    public String getenv(String variable) {
        return variable.startsWith(GIT_VARIABLES) || variable.startsWith("XDG_") ? null : super.getenv(variable);
    }

    @Override
    public FileBasedConfig openSystemConfig(Config parent, FS fs) {
        return new NoConfig(parent, fs);
    }

    @Override
    public FileBasedConfig openUserConfig(Config parent, FS fs) {
        return new NoConfig(parent, fs);
    }

    @Override
    public FileBasedConfig openJGitConfig(Config parent, FS fs) {
        return new NoConfig(parent, fs);
    }

    private static final class NoConfig extends FileBasedConfig {
        NoConfig(Config parent, FS fs) {
            super(parent, null, fs);
        }

        @Override
        public void load() {
            // There is no file.
        }

        @Override
        public void save() {
            // The library's measurements of the file system are not saved.
        }

        @Override
        public boolean isOutdated() {
            return false;
        }
    }
}
