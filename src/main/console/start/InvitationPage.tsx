import { api } from '../base/api/client';
import { brand } from '../base/brand';
import { currentPlace, navigate } from '../base/router';
import { useStore } from '../base/store';
import { t } from '../base/text';
import { Gate } from './Gate';
import { GateForm } from './GateForm';

/** Target of an invitation link. Accepted on a click, because mail scanners follow links, too. */
export default function InvitationPage() {
  const { query } = currentPlace();
  const name = useStore(brand, (known) => known.name);
  const email = query.get('email') ?? '';
  return (
    <Gate
      title={t('signIn.invited', { name })}
      text={email ? t('signIn.invitedFor', { email }) : t('signIn.invitedText')}>
      <GateForm
        id="accept"
        submit={t('signIn.accept')}
        fields={[]}
        perform={async () => {
          const accepted = await api('POST /v1/user-invitations/accept', {
            body: { invitationToken: query.get('token') ?? '' },
          });
          if (!accepted.ok) {
            return accepted.failure;
          }
          navigate(`/sign-up?email=${encodeURIComponent(email)}${accepted.value.registered ? '' : '&signUp=true'}`);
          return undefined;
        }}>
        {() => null}
      </GateForm>
    </Gate>
  );
}
