import { useState } from 'preact/hooks';
import { Button } from '../../base/components/Button';
import { Dialog } from '../../base/components/Dialog';
import { t } from '../../base/text';
import { InvitationList } from '../../people/InvitationList';
import { MemberList } from '../../people/MemberList';
import type { Asked } from '../../people/model';
import { PeopleDialogs } from '../../people/PeopleDialogs';
import type { Project } from '../../settings/model';

const WIDTH = 760;

export function MembersDialog({
  project,
  close,
  changed,
}: {
  project: Project;
  close: () => void;
  changed: () => void;
}) {
  const [asked, setAsked] = useState<Asked>();
  const [turn, setTurn] = useState(0);
  const list = { projectId: project.id, turn, ask: setAsked };
  return asked ? (
    <PeopleDialogs
      asked={asked}
      ask={setAsked}
      projectId={project.id}
      projectName={project.displayName}
      close={() => setAsked(undefined)}
      changed={() => {
        setTurn((count) => count + 1);
        changed();
      }}
    />
  ) : (
    <Dialog
      title={t('projects.membersOf', { name: project.displayName })}
      onClose={close}
      wide={WIDTH}
      footer={
        <footer>
          <Button onClick={close}>{t('base.close')}</Button>
          <Button kind="primary" icon="user-plus" onClick={() => setAsked({ what: 'invite', type: 'PROJECT' })}>
            {t('people.invite')}
          </Button>
        </footer>
      }>
      <div class="body column">
        <MemberList {...list} />
        <InvitationList {...list} type="PROJECT" />
      </div>
    </Dialog>
  );
}
