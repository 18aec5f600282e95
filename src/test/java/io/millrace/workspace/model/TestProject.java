package io.millrace.workspace.model;

import io.millrace.workspace.project.Project;
import io.millrace.workspace.project.ProjectSettings;
import io.millrace.workspace.project.ProjectType;

/** A project of the platform "platform". */
final class TestProject {
    private TestProject() {}

    static Project of(String id) {
        var settings = new ProjectSettings("Mill", null, null, false, null, null, null, false);
        return new Project(id, null, null, "platform", "owner", ProjectType.TEAM, settings, null);
    }
}
