import type { NewUserInvitation } from '#api';
import { useState } from 'preact/hooks';
import type { Failure } from '../base/api/failure';
import { reliably } from '../base/api/reliably';
import { Button } from '../base/components/Button';
import { CopyButton } from '../base/components/CopyButton';
import { ComboField } from '../base/components/Combobox';
import { Dialog, FormDialog } from '../base/components/Dialog';
import { TextField } from '../base/components/Field';
import { Notice } from '../base/components/States';
import { say } from '../base/components/Toasts';
import { t } from '../base/text';
import { isAddress, PLATFORM_ROLES, type Invitation } from './model';
import { useRoles } from './useRoles';

interface Props {
  type: 'PROJECT' | 'PLATFORM';
  projectId: string;
  projectName: string;
  /** Called with the invitation if its link must be handed over. */
  made: (invitation: Invitation) => void;
  close: () => void;
  changed: () => void;
}

export function InviteDialog({ type, projectId, projectName, made, close, changed }: Props) {
  const [email, setEmail] = useState('');
  const [role, setRole] = useState(type === 'PROJECT' ? 'Editor' : 'MEMBER');
  const roles = useRoles();
  const options =
    type === 'PLATFORM'
      ? PLATFORM_ROLES.map((value) => ({ value, label: t(`people.platformRole.${value}`) }))
      : (roles.value ?? []).map(({ name }) => ({ value: name, label: name }));
  const perform = async (): Promise<Failure | undefined> => {
    const address = email.trim();
    const invited = await reliably('POST /v1/user-invitations', {
      body: (type === 'PROJECT'
        ? { type, email: address, projectId, projectRole: role }
        : { type, email: address, platformRole: role }) as NewUserInvitation,
    });
    if (!invited.ok) {
      return invited.failure;
    }
    changed();
    if (invited.value.status === 'ACCEPTED') {
      say(t('people.joined', { email: address }));
    } else if (invited.value.link) {
      made(invited.value);
    } else {
      say(t('people.invited', { email: address }));
    }
    return undefined;
  };
  return (
    <FormDialog
      title={type === 'PROJECT' ? t('people.invite.project', { name: projectName }) : t('people.invite.platform')}
      submit={t('people.invite')}
      onClose={close}
      perform={perform}
      disabled={!isAddress(email)}>
      {(problems) => (
        <>
          {roles.failure ? <Notice failure={roles.failure} /> : null}
          <TextField
            label={t('people.email')}
            value={email}
            onValue={setEmail}
            problem={problems['email']}
            control={{ name: 'email', type: 'email', autocomplete: 'off' }}
          />
          <ComboField
            label={t(type === 'PROJECT' ? 'people.role' : 'people.platformRole')}
            value={role}
            onValue={setRole}
            options={options}
            help={type === 'PLATFORM' ? t('people.platformRole.help') : undefined}
            problem={problems['projectRole']}
          />
        </>
      )}
    </FormDialog>
  );
}

/** Link of an invitation that could not be mailed. */
export function LinkDialog({ invitation, close }: { invitation: Invitation; close: () => void }) {
  return (
    <Dialog
      title={t('people.link.title')}
      onClose={close}
      footer={
        <footer>
          <Button kind="primary" onClick={close}>
            {t('people.link.done')}
          </Button>
        </footer>
      }>
      <div class="body">
        <p>
          {invitation.link
            ? t('people.link.text', { email: invitation.email })
            : t('people.invited', { email: invitation.email })}
        </p>
        {invitation.link ? (
          <div class="invitation-link">
            <input
              class="input"
              readOnly
              aria-label={t('people.link')}
              value={invitation.link}
              onFocus={(event) => {
                // The selection scrolls to its end: back to the host, which the user can check.
                event.currentTarget.select();
                event.currentTarget.scrollLeft = 0;
              }}
            />
            <CopyButton text={invitation.link} />
          </div>
        ) : null}
      </div>
    </Dialog>
  );
}
