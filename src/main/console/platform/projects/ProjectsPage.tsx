import { useState } from 'preact/hooks';
import { api } from '../../base/api/client';
import { Button } from '../../base/components/Button';
import { DataTable, type Column } from '../../base/components/DataTable';
import { SearchField } from '../../base/components/Field';
import { deletion, RowMenu } from '../../base/components/RowMenu';
import { Badge, Empty } from '../../base/components/States';
import { useRows } from '../../base/query';
import { linkTo, narrow, navigate, usePlace } from '../../base/router';
import { t } from '../../base/text';
import { NewProjectDialog } from '../../settings/NewProjectDialog';
import { COLORS, type Project } from '../../settings/model';
import { DeleteProjectDialog } from '../../settings/DeleteProjectDialog';
import { PlatformPage } from '../PlatformPage';
import { MembersDialog } from './MembersDialog';
import { ProjectDialog } from './ProjectDialog';

const ROWS = 50;

type Asked = { what: 'new' } | { what: 'edit' | 'members' | 'delete'; project: Project };

export default function ProjectsPage() {
  const [asked, setAsked] = useState<Asked>();
  return (
    <PlatformPage
      title={t('projects.title')}
      actions={
        <Button kind="primary" icon="plus" onClick={() => setAsked({ what: 'new' })}>
          {t('settings.newProject')}
        </Button>
      }>
      {() => <Listed asked={asked} ask={setAsked} />}
    </PlatformPage>
  );
}

function Listed({ asked, ask }: { asked: Asked | undefined; ask: (asked: Asked | undefined) => void }) {
  const name = usePlace().query.get('name') ?? '';
  const rows = useRows<Project>(`projects of the platform ${name}`, (cursor, signal) =>
    api('GET /v1/projects', { query: { limit: ROWS, cursor, displayName: name || undefined }, signal }),
  );
  const close = (): void => ask(undefined);
  return (
    <div class="connections">
      <SearchField label={t('projects.search')} value={name} onValue={(value) => narrow({ name: value })} />
      <DataTable
        label={t('projects.title')}
        rows={rows}
        columns={columnsOf(ask)}
        id={(project) => project.id}
        empty={<Empty icon="search" title={t('projects.none')} text={t('projects.noneSuch', { text: name })} />}
      />
      {asked?.what === 'new' ? (
        <NewProjectDialog close={close} />
      ) : asked?.what === 'edit' ? (
        <ProjectDialog
          project={asked.project}
          close={close}
          changed={(project) => rows.put((all) => all.map((each) => (each.id === project.id ? project : each)))}
        />
      ) : asked?.what === 'members' ? (
        <MembersDialog project={asked.project} close={close} changed={rows.reload} />
      ) : asked?.what === 'delete' ? (
        <DeleteProjectDialog
          project={asked.project}
          close={close}
          deleted={() => rows.put((all) => all.filter((each) => each.id !== asked.project.id))}
        />
      ) : null}
    </div>
  );
}

function columnsOf(ask: (asked: Asked) => void): Column<Project>[] {
  const inside = (project: Project, path: string): string => `/projects/${project.id}/${path}`;
  return [
    {
      key: 'name',
      title: t('settings.name'),
      cell: (project) => (
        <a class="row cut row-link" {...linkTo(inside(project, 'flows'))}>
          <span class="project-mark" style={{ background: COLORS[project.icon.color] }} />
          <span class="cut">{project.displayName}</span>
        </a>
      ),
    },
    {
      key: 'type',
      title: t('projects.type'),
      width: '116px',
      wideOnly: true,
      cell: (project) => (
        <Badge tone="grey" icon={project.type === 'TEAM' ? 'users' : 'user'}>
          {t(`projects.type.${project.type}`)}
        </Badge>
      ),
    },
    {
      key: 'members',
      title: t('projects.members'),
      width: '104px',
      wideOnly: true,
      cell: (project) =>
        project.type === 'TEAM' ? (
          <div class="row quiet-cell">
            <Button kind="quiet" size="small" onClick={() => ask({ what: 'members', project })}>
              {project.analytics.totalUsers}
              <span class="visually-hidden"> {t('projects.membersOf', { name: project.displayName })}</span>
            </Button>
          </div>
        ) : (
          <span class="figures">{project.analytics.totalUsers}</span>
        ),
    },
    {
      key: 'flows',
      title: t('projects.flows'),
      width: '132px',
      wideOnly: true,
      cell: (project) => (
        <span class="figures">
          {t('projects.flowsOf', { active: project.analytics.activeFlows, total: project.analytics.totalFlows })}
        </span>
      ),
    },
    {
      key: 'jobs',
      title: t('projects.jobs'),
      width: '148px',
      roomyOnly: true,
      cell: (project) =>
        project.maxConcurrentJobs === null ? (
          <span class="faint">{t('projects.noLimit')}</span>
        ) : (
          <span class="figures">{project.maxConcurrentJobs}</span>
        ),
    },
    {
      key: 'menu',
      title: t('base.more'),
      hidden: true,
      width: '56px',
      cell: (project) => (
        <RowMenu
          name={project.displayName}
          groups={[
            {
              items: [
                { label: t('projects.edit'), icon: 'pencil', perform: () => ask({ what: 'edit', project }) },
                ...(project.type === 'TEAM'
                  ? [
                      {
                        label: t('projects.members'),
                        icon: 'users' as const,
                        perform: () => ask({ what: 'members', project }),
                      },
                    ]
                  : []),
                {
                  label: t('projects.openPieces'),
                  icon: 'layout-grid',
                  perform: () => navigate(inside(project, 'settings?view=pieces')),
                },
                {
                  label: t('projects.openSettings'),
                  icon: 'settings',
                  perform: () => navigate(inside(project, 'settings')),
                },
              ],
            },
            ...(project.type === 'TEAM' ? [{ items: [deletion(() => ask({ what: 'delete', project }))] }] : []),
          ]}
        />
      ),
    },
  ];
}
