import { useEffect, useState } from 'preact/hooks';
import { api } from '../../base/api/client';
import { Button } from '../../base/components/Button';
import { useCommands } from '../../base/commands';
import { DataTable, type Column } from '../../base/components/DataTable';
import { Badge, Empty } from '../../base/components/States';
import { useRows } from '../../base/query';
import { narrow, usePlace } from '../../base/router';
import { t } from '../../base/text';
import { ago } from '../../base/time';
import { useRepository } from '../git/Git';
import type { Project, Release } from '../model';
import { ReleaseDialog } from './ReleaseDialog';
import { Unpublished, usePublications } from './Unpublished';

const ROWS = 50;
const ICONS = { PROJECT: 'folder', GIT: 'git-branch', ROLLBACK: 'history' } as const;

export function Releases({ project }: { project: Project }) {
  const projectId = project.id;
  const { query } = usePlace();
  const repository = useRepository(projectId);
  const [asked, setAsked] = useState<{ rollback?: Release }>();
  const rows = useRows<Release>(`releases ${projectId}`, (cursor, signal) =>
    api('GET /v1/project-releases', { query: { projectId, limit: ROWS, cursor }, signal }),
  );
  const publications = usePublications(projectId);
  const fromGit = query.get('from') === 'git';
  useCommands([
    {
      id: 'new-release',
      label: t('releases.new'),
      icon: 'rocket',
      keys: 'c',
      needs: 'WRITE_PROJECT_RELEASE',
      perform: () => setAsked({}),
    },
  ]);
  useEffect(() => {
    if (fromGit && repository.value) {
      setAsked({});
    }
  }, [fromGit, repository.value]);
  const close = (): void => {
    setAsked(undefined);
    narrow({ from: '' });
  };
  const columns: Column<Release>[] = [
    {
      key: 'name',
      title: t('releases.name'),
      cell: (release) => (
        <span class="release-name">
          <strong class="cut">{release.name}</strong>
          {release.description ? <span class="faint cut">{release.description}</span> : null}
        </span>
      ),
    },
    {
      key: 'type',
      title: t('releases.type'),
      width: '116px',
      cell: (release) => (
        <Badge tone="grey" icon={ICONS[release.type]}>
          {t(`releases.type.${release.type}`)}
        </Badge>
      ),
    },
    {
      key: 'by',
      title: t('releases.by'),
      width: '160px',
      wideOnly: true,
      cell: (release) => (
        <span class="faint cut">
          {release.importedByUser ? `${release.importedByUser.firstName} ${release.importedByUser.lastName}` : ''}
        </span>
      ),
    },
    {
      key: 'when',
      title: t('releases.when'),
      width: '116px',
      wideOnly: true,
      cell: (release) => <span class="faint">{ago(release.created, Date.now())}</span>,
    },
    {
      key: 'menu',
      title: t('base.more'),
      hidden: true,
      width: '56px',
      cell: (release) => (
        <Button
          kind="quiet"
          size="small"
          icon="history"
          needs="WRITE_PROJECT_RELEASE"
          label={`${t('releases.rollback')}: ${release.name}`}
          onClick={() => setAsked({ rollback: release })}
        />
      ),
    },
  ];
  return (
    <>
      <div class="row settings-bar">
        <p class="faint spread">{t('releases.empty.text')}</p>
        <Button kind="primary" icon="rocket" needs="WRITE_PROJECT_RELEASE" onClick={() => setAsked({})}>
          {t('releases.new')}
        </Button>
      </div>
      <Unpublished projectId={projectId} publications={publications} />
      <DataTable
        label={t('settings.releases')}
        rows={rows}
        columns={columns}
        id={(release) => release.id}
        empty={
          <div class="card">
            <Empty icon="rocket" title={t('releases.empty.title')} />
          </div>
        }
      />
      {asked && repository.value !== undefined ? (
        <ReleaseDialog
          projectId={projectId}
          repository={repository.value}
          rollback={asked.rollback}
          fromGit={fromGit}
          close={close}
          done={() => {
            rows.reload();
            publications.reload();
          }}
        />
      ) : null}
    </>
  );
}
