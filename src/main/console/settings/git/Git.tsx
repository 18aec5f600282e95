import { useState } from 'preact/hooks';
import { api } from '../../base/api/client';
import { success } from '../../base/api/failure';
import { Button } from '../../base/components/Button';
import { useCommands } from '../../base/commands';
import { FormDialog } from '../../base/components/Dialog';
import { Empty, Failed, Skeleton } from '../../base/components/States';
import { say } from '../../base/components/Toasts';
import { useQuery } from '../../base/query';
import { narrow } from '../../base/router';
import { t } from '../../base/text';
import type { GitRepo } from '../model';
import { PushDialog } from './PushDialog';
import { RepositoryDialog } from './RepositoryDialog';

export const useRepository = (projectId: string) =>
  useQuery<GitRepo | null>(`git ${projectId}`, async (signal) => {
    const page = await api('GET /v1/git-repos', { query: { projectId }, signal });
    return page.ok ? success((page.value.data as GitRepo[])[0] ?? null) : page;
  });

type Asked = 'connect' | 'push' | 'disconnect';

export function Git({ projectId }: { projectId: string }) {
  const repository = useRepository(projectId);
  const [asked, setAsked] = useState<Asked>();
  const known = repository.value;
  useCommands(
    [
      {
        id: 'git-push',
        label: t('git.push'),
        icon: 'cloud-upload',
        group: t('settings.git'),
        needs: 'WRITE_PROJECT_RELEASE',
        when: () => Boolean(known),
        perform: () => setAsked('push'),
      },
      {
        id: 'git-connect',
        label: t('git.connect'),
        icon: 'git-branch',
        group: t('settings.git'),
        needs: 'WRITE_PROJECT_RELEASE',
        perform: () => setAsked('connect'),
      },
    ],
    [known],
  );
  if (known === undefined) {
    return repository.failure ? (
      <Failed failure={repository.failure} retry={repository.reload} />
    ) : (
      <div class="card table-wait">
        <Skeleton lines={4} />
      </div>
    );
  }
  return (
    <>
      {known === null ? (
        <div class="card">
          <Empty icon="git-branch" title={t('git.none.title')} text={t('git.none.text')} needs="WRITE_PROJECT_RELEASE">
            <Button kind="primary" icon="git-branch" needs="WRITE_PROJECT_RELEASE" onClick={() => setAsked('connect')}>
              {t('git.connect')}
            </Button>
          </Empty>
        </div>
      ) : (
        <div class="card settings-form">
          <dl class="facts">
            <div>
              <dt>{t('git.url')}</dt>
              <dd>
                <code>{known.remoteUrl}</code>
              </dd>
            </div>
            <div>
              <dt>{t('git.branch')}</dt>
              <dd>
                <code>{known.branch}</code>
              </dd>
            </div>
            <div>
              <dt>{t('git.slug')}</dt>
              <dd>
                <code>{known.slug}</code>
              </dd>
            </div>
            <div>
              <dt>{t('git.branchType')}</dt>
              <dd>{t(`git.branchType.${known.branchType}`)}</dd>
            </div>
          </dl>
          <p class="faint">{t('git.pullText')}</p>
          <footer>
            <Button icon="unplug" needs="WRITE_PROJECT_RELEASE" onClick={() => setAsked('disconnect')}>
              {t('git.disconnect')}
            </Button>
            <Button icon="pencil" needs="WRITE_PROJECT_RELEASE" onClick={() => setAsked('connect')}>
              {t('git.change')}
            </Button>
            <Button
              icon="cloud-download"
              needs="WRITE_PROJECT_RELEASE"
              onClick={() => narrow({ view: 'releases', from: 'git' })}>
              {t('git.pull')}
            </Button>
            <Button kind="primary" icon="cloud-upload" needs="WRITE_PROJECT_RELEASE" onClick={() => setAsked('push')}>
              {t('git.push')}
            </Button>
          </footer>
        </div>
      )}
      {asked === 'connect' ? (
        <RepositoryDialog
          projectId={projectId}
          known={known}
          close={() => setAsked(undefined)}
          changed={repository.reload}
        />
      ) : asked === 'push' && known ? (
        <PushDialog projectId={projectId} repository={known} close={() => setAsked(undefined)} />
      ) : asked === 'disconnect' && known ? (
        <FormDialog
          danger
          title={t('git.disconnect.title', { url: known.remoteUrl })}
          submit={t('git.disconnect')}
          onClose={() => setAsked(undefined)}
          perform={async () => {
            const gone = await api('DELETE /v1/git-repos/{id}', { path: { id: known.id } });
            if (gone.ok) {
              say(t('git.disconnected'));
              repository.reload();
            }
            return gone.ok ? undefined : gone.failure;
          }}>
          {() => <p>{t('git.disconnect.text')}</p>}
        </FormDialog>
      ) : null}
    </>
  );
}
