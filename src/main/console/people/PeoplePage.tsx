import { useState } from 'preact/hooks';
import { useCommands } from '../base/commands';
import { Button } from '../base/components/Button';
import { Empty } from '../base/components/States';
import { Tabs } from '../base/components/Tabs';
import { useMay } from '../base/permissions';
import { narrow, usePlace } from '../base/router';
import { session } from '../base/session';
import { useStore } from '../base/store';
import { t } from '../base/text';
import { Page } from '../frame/Page';
import { NewProjectDialog } from '../settings/NewProjectDialog';
import { AdministratorList } from './AdministratorList';
import { InvitationList } from './InvitationList';
import { MemberList } from './MemberList';
import type { Asked } from './model';
import { PeopleDialogs } from './PeopleDialogs';
import { RoleList } from './RoleList';
import { UserList } from './UserList';

const VIEWS = ['members', 'roles', 'users'] as const;
type View = (typeof VIEWS)[number];

export default function PeoplePage({ params }: { params: Record<string, string> }) {
  const projectId = params['projectId']!;
  const { query } = usePlace();
  const project = useStore(session, (now) =>
    now.state === 'in' ? now.projects.find((each) => each.id === projectId) : undefined,
  );
  const isAdmin = useStore(session, (now) => now.state === 'in' && now.user.platformRole === 'ADMIN');
  const mayInvite = useMay('WRITE_INVITATION');
  const maySeeInvitations = useMay('READ_INVITATION');
  const wanted = VIEWS.find((each) => each === query.get('view')) ?? 'members';
  const view: View = wanted === 'users' && !isAdmin ? 'members' : wanted;
  const [asked, setAsked] = useState<Asked>();
  const [turn, setTurn] = useState(0);
  const [isCreating, setIsCreating] = useState(false);
  const isTeam = project?.type === 'TEAM';
  const begin = (): void =>
    setAsked(
      view === 'roles' ? { what: 'newRole' } : { what: 'invite', type: view === 'users' ? 'PLATFORM' : 'PROJECT' },
    );
  const may = view === 'members' ? isTeam && mayInvite : isAdmin;
  const title = t(view === 'roles' ? 'people.roles.new' : 'people.invite');
  useCommands(
    [
      {
        id: 'invite',
        label: title,
        icon: view === 'roles' ? 'shield' : 'user-plus',
        keys: 'c',
        when: () => may,
        perform: begin,
      },
    ],
    [view, may],
  );
  const list = { projectId, turn, ask: setAsked };
  return (
    <Page
      title={t('people.title')}
      actions={
        may ? (
          <Button kind="primary" icon={view === 'roles' ? 'plus' : 'user-plus'} onClick={begin}>
            {title}
          </Button>
        ) : null
      }>
      <Tabs
        label={t('people.view')}
        chosen={view}
        onChoose={(key) => narrow({ view: key === 'members' ? '' : key, name: '' })}
        tabs={[
          { key: 'members', label: t('people.members') },
          { key: 'roles', label: t('people.roles') },
          ...(isAdmin ? [{ key: 'users', label: t('people.users') }] : []),
        ]}>
        <div class="people-views">
          {view === 'roles' ? (
            <RoleList turn={turn} ask={setAsked} isAdmin={isAdmin} />
          ) : view === 'users' ? (
            <>
              <UserList turn={turn} ask={setAsked} />
              <InvitationList {...list} type="PLATFORM" />
            </>
          ) : isTeam ? (
            <>
              <MemberList {...list} />
              {maySeeInvitations ? <InvitationList {...list} type="PROJECT" /> : null}
              {isAdmin ? <AdministratorList turn={turn} /> : null}
            </>
          ) : (
            <div class="card">
              <Empty icon="user" title={t('people.personal.title')} text={t('people.personal.text')}>
                {isAdmin ? (
                  <Button icon="folder-plus" onClick={() => setIsCreating(true)}>
                    {t('settings.newProject')}
                  </Button>
                ) : null}
              </Empty>
            </div>
          )}
        </div>
      </Tabs>
      {isCreating ? <NewProjectDialog close={() => setIsCreating(false)} /> : null}
      {asked ? (
        <PeopleDialogs
          asked={asked}
          ask={setAsked}
          projectId={projectId}
          projectName={project?.displayName ?? ''}
          close={() => setAsked(undefined)}
          changed={() => setTurn((n) => n + 1)}
        />
      ) : null}
    </Page>
  );
}
