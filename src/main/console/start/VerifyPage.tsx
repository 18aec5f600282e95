import { useState } from 'preact/hooks';
import { api } from '../base/api/client';
import { LinkButton } from '../base/components/Button';
import { Notice } from '../base/components/States';
import { currentPlace } from '../base/router';
import { t } from '../base/text';
import { Gate } from './Gate';
import { GateForm } from './GateForm';
import { LinkOver } from './LinkOver';

/** Target of a mailed link that verifies an address; on a click, because mail scanners follow links, too. */
export default function VerifyPage() {
  const { query } = currentPlace();
  const [done, setDone] = useState(false);
  const [isOver, setIsOver] = useState(false);
  if (isOver) {
    return <LinkOver text={t('signIn.verifyOver')} action={t('signIn.submit')} to="/sign-in" />;
  }
  if (done) {
    return (
      <Gate title={t('signIn.verify')}>
        <Notice tone="green">{t('signIn.verified')}</Notice>
        <LinkButton kind="primary" size="wide" to="/sign-in">
          {t('signIn.submit')}
        </LinkButton>
      </Gate>
    );
  }
  return (
    <Gate title={t('signIn.verify')} text={t('signIn.verifyText')}>
      <GateForm
        id="verify"
        submit={t('signIn.verifySubmit')}
        fields={[]}
        perform={async () => {
          const proof = { identityId: query.get('identityId') ?? '', otp: query.get('otp') ?? '' };
          const confirmed = await api('POST /v1/authn/local/verify-email', { body: proof });
          setDone(confirmed.ok);
          setIsOver(!confirmed.ok && confirmed.failure.code === 'INVALID_OTP');
          return confirmed.ok ? undefined : confirmed.failure;
        }}>
        {() => null}
      </GateForm>
    </Gate>
  );
}
