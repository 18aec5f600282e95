package io.millrace.integration.git;

import org.eclipse.jgit.lib.Config;
import org.eclipse.jgit.storage.file.FileBasedConfig;
import org.eclipse.jgit.util.FS;
import org.eclipse.jgit.util.SystemReader;

/**
 * A host on which nobody has set git up: no system or user configuration, no variables of the environment that git knows.
 * What a server does with a project's repository must not depend on whose account it runs under.
 */
final class HostlessSystem extends SystemReader.Delegate {
    private static final String GIT_VARIABLES = "GIT_";

    private HostlessSystem(SystemReader host) {
        super(host);
    }

    /** From now on, for the whole process: the library knows one system. */
    static synchronized void install() {
        var host = SystemReader.getInstance();
        if (!(host instanceof HostlessSystem)) {
            SystemReader.setInstance(new HostlessSystem(host));
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

    /** A configuration that is empty and stays so. */
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
            // What the library measures of the disk is not kept.
        }

        @Override
        public boolean isOutdated() {
            return false;
        }
    }
}
