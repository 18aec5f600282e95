import { api } from '../base/api/client';
import { brand } from '../base/brand';
import { LinkButton } from '../base/components/Button';
import { Failed, Skeleton } from '../base/components/States';
import { useQuery } from '../base/query';
import { currentPlace, navigate } from '../base/router';
import { useStore } from '../base/store';
import { t } from '../base/text';
import { Gate } from './Gate';
import { GateForm } from './GateForm';
import { LinkOver } from './LinkOver';

/** Target of an invitation link. Accepted on a click, because mail scanners follow links, too. */
export default function InvitationPage() {
  const { query } = currentPlace();
  const name = useStore(brand, (known) => known.name);
  const email = query.get('email') ?? '';
  const body = { invitationToken: query.get('token') ?? '' };
  const link = useQuery('invitation', (signal) => api('POST /v1/user-invitations/check', { body, signal }));
  const signUp = (isRegistered: boolean): string =>
    `/sign-up?email=${encodeURIComponent(email)}${isRegistered ? '' : '&signUp=true'}`;
  const state = link.failure?.status === 401 ? 'INVALID' : link.value?.state;
  if (state === undefined) {
    return (
      <Gate title={t('signIn.invited', { name })}>
        {link.failure ? <Failed failure={link.failure} retry={link.reload} /> : <Skeleton lines={2} />}
      </Gate>
    );
  }
  if (state === 'ACCEPTED') {
    return (
      <Gate title={t('signIn.invitationAccepted')} text={t('signIn.invitationAcceptedText')}>
        <LinkButton kind="primary" size="wide" to={signUp(false)}>
          {t('start.account.submit')}
        </LinkButton>
      </Gate>
    );
  }
  if (state !== 'PENDING') {
    return <LinkOver text={t(`signIn.invitation.${state}`)} action={t('signIn.submit')} to="/sign-in" />;
  }
  return (
    <Gate
      title={t('signIn.invited', { name })}
      text={email ? t('signIn.invitedFor', { email }) : t('signIn.invitedText')}>
      <GateForm
        id="accept"
        submit={t('signIn.accept')}
        fields={[]}
        perform={async () => {
          const accepted = await api('POST /v1/user-invitations/accept', { body });
          if (!accepted.ok) {
            return accepted.failure;
          }
          navigate(signUp(accepted.value.registered));
          return undefined;
        }}>
        {() => null}
      </GateForm>
    </Gate>
  );
}
