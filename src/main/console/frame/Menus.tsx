import { Icon } from '../base/components/Icon';
import { Menu } from '../base/components/Menu';
import { useState } from 'preact/hooks';
import { useCommands } from '../base/commands';
import { COLORS } from '../settings/model';
import { permittedArea } from './areas';
import { lazyPart } from './lazyView';
import { showShortcuts } from './Shortcuts';
import { appearance } from '../base/appearance';
import { prefix } from '../base/prefix';
import { roleIn } from '../base/permissions';
import { currentPlace, navigate } from '../base/router';
import { signOut, type Project, type User } from '../base/session';
import { useStore } from '../base/store';
import { t } from '../base/text';

let choices = 0;

/**
 * Opens the area of the current page in another project, or the first one that the role there permits; does nothing
 * if the user has chosen another project or page meanwhile.
 */
async function switchTo(projectId: string): Promise<void> {
  const choice = ++choices;
  const { path } = currentPlace();
  const area = path.split('/')[3];
  const role = await roleIn(projectId);
  if (choice !== choices || currentPlace().path !== path) {
    return;
  }
  navigate(`/projects/${projectId}/${permittedArea(role.ok ? role.value.permissions : new Set(), area).path}`);
}

const NewProject = lazyPart(() => import('../settings/NewProjectDialog').then((module) => module.NewProjectDialog));

export function ProjectMenu({ user, projects, project }: { user: User; projects: Project[]; project: Project }) {
  const [making, setMaking] = useState(false);
  const mayMake = user.platformRole === 'ADMIN';
  useCommands(
    [
      {
        id: 'new-project',
        label: t('settings.newProject'),
        icon: 'folder-plus',
        when: () => mayMake,
        perform: () => setMaking(true),
      },
    ],
    [mayMake],
  );
  return (
    <>
      <Menu
        label={t('base.projects')}
        align="start"
        groups={[
          {
            title: t('base.projects'),
            items: projects.map((each) => ({
              label: each.displayName,
              checked: each.id === project.id,
              perform: () => switchTo(each.id),
            })),
          },
          {
            items: mayMake
              ? [{ label: t('settings.newProject'), icon: 'folder-plus', perform: () => setMaking(true) }]
              : [],
          },
        ]}
        button={(wiring) => (
          <button class="button quiet project-button" type="button" {...wiring}>
            <span class="project-mark" style={{ background: COLORS[project.icon.color] }} />
            <span class="cut">{project.displayName}</span>
            <Icon name="chevrons-up-down" size={14} />
          </button>
        )}
      />
      {making ? <NewProject close={() => setMaking(false)} /> : null}
    </>
  );
}

const initials = (user: User): string =>
  `${user.firstName?.[0] ?? ''}${user.lastName?.[0] ?? ''}`.toUpperCase() || user.email[0]!.toUpperCase();

export function AccountMenu({ user }: { user: User }) {
  const chosen = useStore(appearance);
  const choose = (value: 'system' | 'light' | 'dark', icon: 'monitor' | 'sun' | 'moon') => ({
    label: t(`base.theme.${value}`),
    icon,
    checked: chosen === value,
    perform: () => appearance.set(value),
  });
  return (
    <Menu
      label={t('base.account')}
      groups={[
        {
          title: user.email,
          items: [
            { label: t('base.shortcuts'), icon: 'keyboard', shortcut: '?', perform: showShortcuts },
            {
              label: t('base.apiReference'),
              icon: 'book-open',
              perform: () => location.assign(`${prefix}/api/v1/docs`),
            },
          ],
        },
        {
          title: t('base.theme'),
          items: [choose('system', 'monitor'), choose('light', 'sun'), choose('dark', 'moon')],
        },
        { items: [{ label: t('base.signOut'), icon: 'log-out', perform: () => signOut() }] },
      ]}
      button={(wiring) => (
        <button class="avatar" type="button" aria-label={t('base.account')} {...wiring}>
          {initials(user)}
        </button>
      )}
    />
  );
}
