import { useState } from 'preact/hooks';
import type { ProjectChanges } from '#api';
import { Button } from '../base/components/Button';
import { CopyButton } from '../base/components/CopyButton';
import { Checkbox, TextField } from '../base/components/Field';
import { useCommands } from '../base/commands';
import { navigate } from '../base/router';
import { session } from '../base/session';
import { useStore } from '../base/store';
import { t } from '../base/text';
import { JobsField, ProjectNameField } from './fields';
import { COLORS, jobsOf, type IconColor, type Project } from './model';
import { DeleteProjectDialog } from './DeleteProjectDialog';
import { SettingsForm } from './SettingsForm';

export function GeneralForm({ project }: { project: Project }) {
  const isAdmin = useStore(session, (now) => now.state === 'in' && now.user.platformRole === 'ADMIN');
  const isTeam = project.type === 'TEAM';
  const [displayName, setDisplayName] = useState(project.displayName);
  const [color, setColor] = useState(project.icon.color);
  const [externalId, setExternalId] = useState(project.externalId ?? '');
  const [jobs, setJobs] = useState(project.maxConcurrentJobs === null ? '' : String(project.maxConcurrentJobs));
  const [releasesEnabled, setReleasesEnabled] = useState(project.releasesEnabled);
  const [flowTestsRequired, setFlowTestsRequired] = useState(project.flowTestsRequired);
  const [deleting, setDeleting] = useState(false);
  useCommands(
    [
      {
        id: 'delete-project',
        label: t('settings.delete'),
        icon: 'trash-2',
        when: () => isAdmin && isTeam,
        perform: () => setDeleting(true),
      },
    ],
    [project.id],
  );
  const changes = (): { body: ProjectChanges } | { problems: Record<string, string> } => {
    const maxConcurrentJobs = jobsOf(jobs);
    return maxConcurrentJobs === undefined
      ? { problems: { maxConcurrentJobs: t('settings.jobsBad') } }
      : {
          body: {
            ...(isTeam ? { displayName: displayName.trim(), icon: { color } } : {}),
            ...(isAdmin ? { externalId: externalId.trim() } : {}),
            maxConcurrentJobs,
            releasesEnabled,
            flowTestsRequired,
          },
        };
  };
  return (
    <>
      <SettingsForm projectId={project.id} changes={changes}>
        {(problems) => (
          <>
            <ProjectNameField value={displayName} onValue={setDisplayName} problems={problems} isTeam={isTeam} />
            {isTeam ? <Colors chosen={color} onChoose={setColor} /> : null}
            <JobsField value={jobs} onValue={setJobs} problems={problems} />
            <TextField
              label={t('settings.externalId')}
              value={externalId}
              onValue={setExternalId}
              help={t(isAdmin ? 'settings.externalIdHelp' : 'settings.externalIdAdmin')}
              problem={problems['externalId']}
              control={{ name: 'externalId', autocomplete: 'off', readOnly: !isAdmin }}
            />
            <Checkbox label={t('settings.releasesEnabled')} checked={releasesEnabled} onChange={setReleasesEnabled} />
            <Checkbox
              label={t('settings.flowTestsRequired')}
              checked={flowTestsRequired}
              onChange={setFlowTestsRequired}
            />
            <div class="field">
              <span class="label">{t('settings.id')}</span>
              <span class="row">
                <code>{project.id}</code>
                <CopyButton text={project.id} />
              </span>
            </div>
          </>
        )}
      </SettingsForm>
      {isAdmin && isTeam ? (
        <div>
          <Button icon="trash-2" onClick={() => setDeleting(true)}>
            {t('settings.delete')}
          </Button>
        </div>
      ) : null}
      {deleting ? (
        <DeleteProjectDialog project={project} close={() => setDeleting(false)} deleted={() => navigate('/')} />
      ) : null}
    </>
  );
}

function Colors({ chosen, onChoose }: { chosen: IconColor; onChoose: (color: IconColor) => void }) {
  return (
    <fieldset class="colors">
      <legend>{t('settings.color')}</legend>
      {(Object.keys(COLORS) as IconColor[]).map((color) => (
        <label key={color} class="color-choice" title={t(`settings.color.${color}`)}>
          <input
            type="radio"
            name="color"
            aria-label={t(`settings.color.${color}`)}
            checked={color === chosen}
            onChange={() => onChoose(color)}
          />
          <span style={{ background: COLORS[color] }} />
        </label>
      ))}
    </fieldset>
  );
}
