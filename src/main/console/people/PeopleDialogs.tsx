import { api } from '../base/api/client';
import type { Result } from '../base/api/failure';
import { FormDialog } from '../base/components/Dialog';
import { say } from '../base/components/Toasts';
import { session } from '../base/session';
import { useStore } from '../base/store';
import { t } from '../base/text';
import { InviteDialog, LinkDialog } from './InviteDialog';
import { nameOf, type Asked } from './model';
import { RoleDialog } from './RoleDialog';

interface Props {
  asked: Asked;
  ask: (asked: Asked) => void;
  projectId: string;
  projectName: string;
  close: () => void;
  changed: () => void;
}

export function PeopleDialogs({ asked, ask, projectId, projectName, close, changed }: Props) {
  const isAdmin = useStore(session, (now) => now.state === 'in' && now.user.platformRole === 'ADMIN');
  switch (asked.what) {
    case 'invite': {
      // After the dialog has closed itself, so that the link dialog stays open.
      const made = (invitation: Extract<Asked, { what: 'link' }>['invitation']): void =>
        void setTimeout(() => ask({ what: 'link', invitation }));
      return (
        <InviteDialog
          type={asked.type}
          projectId={projectId}
          projectName={projectName}
          made={made}
          close={close}
          changed={changed}
        />
      );
    }
    case 'link':
      return <LinkDialog invitation={asked.invitation} close={close} />;
    case 'newRole':
      return <RoleDialog isAdmin={isAdmin} close={close} changed={changed} />;
    case 'role':
      return <RoleDialog role={asked.role} isAdmin={isAdmin} close={close} changed={changed} />;
    default:
      return <Sure {...lossOf(asked)} close={close} changed={changed} />;
  }
}

interface Loss {
  title: string;
  text: string;
  submit: string;
  done: string;
  perform: () => Promise<Result<unknown>>;
}

type Dangerous = Extract<Asked, { what: 'revoke' | 'remove' | 'deleteRole' | 'deleteUser' | 'deactivate' }>;

function lossOf(asked: Dangerous): Loss {
  switch (asked.what) {
    case 'revoke': {
      const { id, email } = asked.invitation;
      return {
        title: t('people.revoke.title', { email }),
        text: t('people.revoke.text'),
        submit: t('people.revoke'),
        done: t('people.revoked', { email }),
        perform: () => api('DELETE /v1/user-invitations/{id}', { path: { id } }),
      };
    }
    case 'remove': {
      const name = nameOf(asked.member.user);
      return {
        title: t('people.remove.title', { name }),
        text: t('people.remove.text'),
        submit: t('people.remove'),
        done: t('people.removed', { name }),
        perform: () => api('DELETE /v1/project-members/{id}', { path: { id: asked.member.id } }),
      };
    }
    case 'deleteRole': {
      const { name } = asked.role;
      return {
        title: t('people.roles.delete.title', { name }),
        text: t('people.roles.delete.text'),
        submit: t('base.delete'),
        done: t('flows.deleted', { name }),
        perform: () => api('DELETE /v1/project-roles/{id}', { path: { id: name } }),
      };
    }
    case 'deactivate': {
      const name = nameOf(asked.user);
      return {
        title: t('people.deactivate.title', { name }),
        text: t('people.deactivate.text'),
        submit: t('people.deactivate'),
        done: t('people.deactivated', { name }),
        perform: () => api('POST /v1/users/{id}', { path: { id: asked.user.id }, body: { status: 'INACTIVE' } }),
      };
    }
    case 'deleteUser': {
      const name = nameOf(asked.user);
      return {
        title: t('people.deleteUser.title', { name }),
        text: t('people.deleteUser.text'),
        submit: t('base.delete'),
        done: t('flows.deleted', { name }),
        perform: () => api('DELETE /v1/users/{id}', { path: { id: asked.user.id } }),
      };
    }
  }
}

function Sure({
  title,
  text,
  submit,
  done,
  perform,
  close,
  changed,
}: Loss & { close: () => void; changed: () => void }) {
  return (
    <FormDialog
      danger
      title={title}
      submit={submit}
      onClose={close}
      perform={async () => {
        const outcome = await perform();
        if (outcome.ok) {
          say(done);
          changed();
        }
        return outcome.ok ? undefined : outcome.failure;
      }}>
      {() => <p>{text}</p>}
    </FormDialog>
  );
}
