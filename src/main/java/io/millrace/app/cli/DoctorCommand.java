package io.millrace.app.cli;

import io.millrace.app.Server;
import io.millrace.app.SettingChecks;
import io.millrace.app.cli.command.CommandOption;
import io.millrace.app.cli.command.CommandWords;
import io.millrace.app.cli.command.ExitStatus;
import io.millrace.app.cli.command.Subcommand;
import io.millrace.app.cli.command.Terminal;
import io.millrace.base.config.BadSetting;
import io.millrace.base.config.Config;
import io.millrace.base.config.ForeignSetting;
import io.millrace.base.core.Json;
import io.millrace.base.persistence.migration.Migrations;
import java.util.ArrayList;
import java.util.List;

/** Changes nothing. */
final class DoctorCommand implements Subcommand {
    private static final CommandOption UPGRADE = CommandOption.flag(
            "--upgrade",
            "reports instead what the first start of this release would do to the database and what it needs");

    @Override
    public String name() {
        return "doctor";
    }

    @Override
    public String summary() {
        return "checks settings, files, disk, isolation, port, processes and database, and recommends actions";
    }

    @Override
    public String description() {
        return """
                Changes nothing, and may be asked while the server works. An embedded database is looked at while a server runs
                it. Warnings do not count as something wrong; problems do (exit status 1).

                With --upgrade, of the new file: which migrations its start would run and what each is for, what room the backup
                before them needs, when the newest backup was taken, and which nodes of an older release work. Where no server
                runs, the embedded database is started for the look, in a mode that writes no row.""";
    }

    @Override
    public List<CommandOption> options() {
        return List.of(UPGRADE);
    }

    @Override
    public ExitStatus perform(CommandWords words, Terminal terminal) {
        var findings = findings(terminal, words.has(UPGRADE));
        var isWell = findings.stream().noneMatch(finding -> finding.level() == Finding.Level.PROBLEM);
        if (words.isJson()) {
            var json = Json.object().put("well", isWell);
            var list = json.putArray("findings");
            findings.forEach(finding -> list.add(finding.toJson()));
            terminal.out().println(json);
        } else {
            findings.forEach(finding -> terminal.out().println(finding.line()));
        }
        return isWell ? ExitStatus.OK : ExitStatus.PROBLEM;
    }

    /** Findings; without valid settings the examination ends with them. */
    private static List<Finding> findings(Terminal terminal, boolean isUpgrade) {
        var findings = new ArrayList<Finding>();
        findings.add(Finding.ok(
                "versions",
                "Millrace " + Server.VERSION + ", schema " + Migrations.newest() + ", Java " + Runtime.version()));
        try {
            var config = Config.load(terminal.environment(), terminal.settings());
            SettingChecks.check(config);
            if (isUpgrade) {
                findings.addAll(new UpgradeExamination(config, terminal.clock()).findings());
                return findings;
            }
            findings.add(Finding.ok("settings", "acceptable"));
            config.process()
                    .unknownNames()
                    .forEach(name -> findings.add(Finding.warning(
                            "settings", ForeignSetting.remark(name), "remove " + name + ", or correct its name")));
            findings.addAll(new HostExamination(config).findings());
            findings.addAll(new DatabaseExamination(config, terminal.clock()).findings());
        } catch (BadSetting refused) {
            refused.problems()
                    .forEach(problem -> findings.add(
                            Finding.problem("settings", problem, "correct the setting; nothing else was checked")));
        }
        return findings;
    }
}
