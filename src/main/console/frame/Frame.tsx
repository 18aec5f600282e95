import type { ComponentChildren } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { Button } from '../base/components/Button';
import { Icon } from '../base/components/Icon';
import { showPalette } from '../base/components/CommandPalette';
import { brand } from '../base/brand';
import { channel } from '../base/live/channel';
import { onMac, written } from '../base/keymap';
import { allowed } from '../base/permissions';
import { linkTo, usePlace } from '../base/router';
import type { Project, User } from '../base/session';
import { keepProject } from '../base/start';
import { useStore } from '../base/store';
import { t } from '../base/text';
import { permittedArea } from './areas';
import { AreaList } from './AreaList';
import { embedding } from '../embed/host';
import { Logo } from './Logo';
import { AccountMenu, ProjectMenu } from './Menus';

interface Props {
  user: User;
  projects: Project[];
  project: Project;
  children: ComponentChildren;
}

export function Frame({ user, projects, project, children }: Props) {
  const { path } = usePlace();
  const name = useStore(brand, (known) => known.name);
  const [open, setOpen] = useState(false);
  const embedded = useStore(embedding);
  const known = useStore(allowed);
  useEffect(() => setOpen(false), [path]);
  useEffect(() => {
    keepProject(project.id);
    channel.join(project.id);
  }, [project.id]);
  if (embedded.hideNavigation) {
    return (
      <div class="frame bare">
        <main id="content" tabIndex={-1}>
          {children}
        </main>
      </div>
    );
  }
  return (
    <div class="frame" data-open={open}>
      <a class="skip" href="#content">
        {t('base.skipToContent')}
      </a>
      <nav class="areas" aria-label={t('base.menu')}>
        <a
          class="brand"
          {...linkTo(`/projects/${project.id}/${known ? permittedArea(known.permissions).path : 'flows'}`)}>
          <Logo />
          <span class="cut">{name}</span>
        </a>
        <AreaList project={project} isAdmin={user.platformRole === 'ADMIN'} />
      </nav>
      <div class="areas-veil" onClick={() => setOpen(false)} />
      <header class="top">
        <span class="narrow-only">
          <Button
            kind="quiet"
            icon="menu"
            label={t('base.menu')}
            onClick={() => setOpen(!open)}
            more={{ 'aria-expanded': open }}
          />
        </span>
        {path === '/platform' || path.startsWith('/platform/') ? null : (
          <ProjectMenu user={user} projects={projects} project={project} />
        )}
        <span class="spread" />
        <LiveMark />
        <button class="palette-button" type="button" onClick={showPalette} aria-label={t('base.commands')}>
          <Icon name="search" />
          <span>{t('base.search')}</span>
          <kbd class="keycap">{written('Ctrl+K', onMac())}</kbd>
        </button>
        {embedded.on ? null : <AccountMenu user={user} />}
      </header>
      <main id="content" tabIndex={-1}>
        {children}
      </main>
    </div>
  );
}

function LiveMark() {
  const state = useStore(channel.state);
  return state === 'lost' ? (
    <span class="live-lost" role="status">
      <Icon name="unplug" />
      <span>{t('base.live.lost')}</span>
    </span>
  ) : null;
}
