import { useState } from 'preact/hooks';
import { api } from '../base/api/client';
import { LinkButton } from '../base/components/Button';
import { TextField } from '../base/components/Field';
import { Notice } from '../base/components/States';
import { currentPlace } from '../base/router';
import { forget } from '../base/session';
import { t } from '../base/text';
import { Gate } from './Gate';
import { GateForm } from './GateForm';
import { LinkOver } from './LinkOver';

export default function ResetPage() {
  const { query } = currentPlace();
  const [newPassword, setNewPassword] = useState('');
  const [done, setDone] = useState(false);
  const [isOver, setIsOver] = useState(false);
  if (isOver) {
    return <LinkOver text={t('signIn.resetOver')} action={t('signIn.requestLink')} to="/sign-in?forgotten=true" />;
  }
  if (done) {
    return (
      <Gate title={t('signIn.reset')}>
        <Notice tone="green">{t('signIn.resetDone')}</Notice>
        <LinkButton kind="primary" size="wide" to="/sign-in">
          {t('signIn.submit')}
        </LinkButton>
      </Gate>
    );
  }
  return (
    <Gate title={t('signIn.reset')} text={t('signIn.resetText')}>
      <GateForm
        id="reset"
        submit={t('signIn.resetSubmit')}
        fields={['newPassword']}
        perform={async () => {
          const proof = { identityId: query.get('identityId') ?? '', otp: query.get('otp') ?? '' };
          const changed = await api('POST /v1/authn/local/reset-password', { body: { ...proof, newPassword } });
          if (!changed.ok) {
            setIsOver(changed.failure.code === 'INVALID_OTP');
            return changed.failure;
          }
          await forget();
          setDone(true);
          return undefined;
        }}>
        {(problems) => (
          <TextField
            label={t('signIn.newPassword')}
            value={newPassword}
            onValue={setNewPassword}
            help={t('start.passwordHelp')}
            problem={problems['newPassword']}
            control={{
              type: 'password',
              name: 'newPassword',
              autocomplete: 'new-password',
              minLength: 8,
              maxLength: 64,
              placeholder: ' ',
              required: true,
            }}
          />
        )}
      </GateForm>
    </Gate>
  );
}
