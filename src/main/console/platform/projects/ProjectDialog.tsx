import { useState } from 'preact/hooks';
import { api } from '../../base/api/client';
import { failure } from '../../base/api/failure';
import { FormDialog } from '../../base/components/Dialog';
import { TextField } from '../../base/components/Field';
import { say } from '../../base/components/Toasts';
import { reloadProjects } from '../../base/session';
import { t } from '../../base/text';
import { JobsField, ProjectNameField } from '../../settings/fields';
import { jobsOf, type Project } from '../../settings/model';

interface Props {
  project: Project;
  close: () => void;
  changed: (project: Project) => void;
}

export function ProjectDialog({ project, close, changed }: Props) {
  const isTeam = project.type === 'TEAM';
  const [displayName, setDisplayName] = useState(project.displayName);
  const [externalId, setExternalId] = useState(project.externalId ?? '');
  const [jobs, setJobs] = useState(project.maxConcurrentJobs === null ? '' : String(project.maxConcurrentJobs));
  return (
    <FormDialog
      title={t('projects.editTitle', { name: project.displayName })}
      submit={t('base.save')}
      onClose={close}
      disabled={displayName.trim() === ''}
      perform={async () => {
        const maxConcurrentJobs = jobsOf(jobs);
        if (maxConcurrentJobs === undefined) {
          return failure('FST_ERR_VALIDATION', { fields: { maxConcurrentJobs: t('settings.jobsBad') } });
        }
        const saved = await api('POST /v1/projects/{id}', {
          path: { id: project.id },
          body: {
            ...(isTeam ? { displayName: displayName.trim() } : {}),
            externalId: externalId.trim(),
            maxConcurrentJobs,
          },
        });
        if (!saved.ok) {
          return saved.failure;
        }
        changed(saved.value);
        say(t('projects.saved', { name: saved.value.displayName }));
        await reloadProjects();
        return undefined;
      }}>
      {(problems) => (
        <>
          <ProjectNameField value={displayName} onValue={setDisplayName} problems={problems} isTeam={isTeam} />
          <JobsField value={jobs} onValue={setJobs} problems={problems} />
          <TextField
            label={t('settings.externalId')}
            value={externalId}
            onValue={setExternalId}
            help={t('settings.externalIdHelp')}
            problem={problems['externalId']}
            control={{ name: 'externalId', autocomplete: 'off' }}
          />
        </>
      )}
    </FormDialog>
  );
}
