import { useState } from 'preact/hooks';
import { useCommands } from '../../base/commands';
import { Button } from '../../base/components/Button';
import { session, usualProject } from '../../base/session';
import { useStore } from '../../base/store';
import { t } from '../../base/text';
import { InvitationList } from '../../people/InvitationList';
import type { Asked } from '../../people/model';
import { PeopleDialogs } from '../../people/PeopleDialogs';
import { UserList } from '../../people/UserList';
import { PlatformPage } from '../PlatformPage';

export default function UsersPage() {
  const projectId = useStore(session, (now) => (now.state === 'in' ? (usualProject(now.projects)?.id ?? '') : ''));
  const isAdmin = useStore(session, (now) => now.state === 'in' && now.user.platformRole === 'ADMIN');
  const [asked, setAsked] = useState<Asked>();
  const [turn, setTurn] = useState(0);
  const invite = (): void => setAsked({ what: 'invite', type: 'PLATFORM' });
  useCommands(
    [
      {
        id: 'invite',
        label: t('people.invite.platform'),
        icon: 'user-plus',
        keys: 'c',
        when: () => isAdmin,
        perform: invite,
      },
    ],
    [isAdmin],
  );
  return (
    <PlatformPage
      title={t('platform.users')}
      actions={
        <Button kind="primary" icon="user-plus" onClick={invite}>
          {t('people.invite')}
        </Button>
      }>
      {() => (
        <div class="people-views">
          <UserList turn={turn} ask={setAsked} />
          <InvitationList projectId={projectId} turn={turn} ask={setAsked} type="PLATFORM" />
          {asked ? (
            <PeopleDialogs
              asked={asked}
              ask={setAsked}
              projectId={projectId}
              projectName=""
              close={() => setAsked(undefined)}
              changed={() => setTurn((n) => n + 1)}
            />
          ) : null}
        </div>
      )}
    </PlatformPage>
  );
}
